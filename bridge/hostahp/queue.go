package hostahp

import (
	"errors"
	"time"

	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/mapahp"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/protocol"
	"github.com/turnwire/turnwire/protocol/ahp"
	"github.com/turnwire/turnwire/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// startDelay is how long the agent is not told of a turn that the host starts: VS Code
// does not show one that is over when it looks.
const startDelay = 100 * time.Millisecond

// start begins a turn of a client, which sees it already.
func (s *session) start(turn string, m ahp.Message) {
	if s.turn.runs() { // it was cancelled, and is not answered yet
		s.deferred = func() { s.start(turn, m) }
		return
	}
	s.turn.begin(turn)
	s.submit(m)
}

// submit gives the agent the message of the turn that was begun.
func (s *session) submit(m ahp.Message) {
	s.connect(func(err error) {
		if err != nil {
			s.turn.fail(err)
			return
		}
		s.prepare(&m, func() {
			if !s.turn.shown() { // cancelled meanwhile
				s.turn.end(v1.StopCancelled)
				return
			}
			s.send(&m)
		})
		s.save()
	})
}

// send sends the prompt of a turn to the agent.
func (s *session) send(m *ahp.Message) {
	u := s.agent.up
	if u == nil || !s.isOpen {
		s.turn.fail(errLost)
		return
	}
	unwrapped := s.host.contents.unwrapped(*m)
	params := map[string]any{"sessionId": s.record.ACP, "prompt": rawmsg.Encode(mapahp.Prompt(&unwrapped, u.images))}
	u.call(v1.MethodSessionPrompt, params, func(result, failure []byte) {
		if err := failed(failure); err != nil {
			s.isOpen = s.isOpen && !isGone(failure) // the next turn opens it again
			s.turn.fail(err)
			return
		}
		var answer v1.PromptResponse
		if err := exactjson.Unmarshal(result, &answer); err != nil {
			s.turn.fail(errors.New("the agent's answer makes no sense"))
			return
		}
		s.turn.end(answer.StopReason)
	})
}

// isGone reports whether an error may say that the session is not open any more.
func isGone(failure []byte) bool {
	var e struct {
		Code int64 `json:"code"`
	}
	_ = exactjson.Unmarshal(failure, &e) // it has been decoded before
	return e.Code == protocol.CodeInvalidRequest || e.Code == protocol.CodeInvalidParams || e.Code == protocol.CodeNotFound
}

// workEnded goes on after the agent did its work.
func (s *session) workEnded() {
	if deferred := s.deferred; deferred != nil && !s.others.any() {
		s.deferred = nil
		deferred()
		return
	}
	if s.chat.ready() {
		s.save()
	}
	if s.others.next() {
		return
	}
	s.next()
	s.unattend()
}

// next begins the first message that a client has queued.
func (s *session) next() {
	if !s.chat.ready() || s.turn.runs() || s.chat.active() != nil {
		return
	}
	for _, m := range s.chat.queued() {
		if s.others.has(m.ID) {
			continue
		}
		turn := s.chat.newTurn()
		s.chat.start(nil, ahp.TurnStarted{TurnID: turn, Message: m.Message, QueuedMessageID: m.ID})
		s.turn.begin(turn)
		s.later(startDelay, func() { s.submit(m.Message) })
		return
	}
}

// cancel has the agent stop.
func (s *session) cancel() {
	s.deferred = nil
	if u := s.agent.up; u != nil && s.isOpen {
		about := rawmsg.Encode(map[string]string{"sessionId": s.record.ACP})
		u.post(func(source core.Source) { source.Notify(v1.MethodSessionCancel, about) })
	}
	s.asks.cancel()
}
