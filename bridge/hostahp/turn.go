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

// running is what the agent works on. The turn that clients see may have ended
// before: what the agent says until it has stopped is not shown.
type running struct {
	turn  string
	own   bool // a client of this host has begun it
	aside bool // nobody has begun it
	began time.Time
}

// A prompt is one of another front end of the hub.
type prompt struct {
	by      string // what the hub calls it
	blocks  int    // that are still to come
	id      string // among the queued messages; "" where it is not there
	message ahp.Message
}

// shown reports whether clients see the turn that the agent works on.
func (s *session) shown() bool {
	return s.running != nil && s.chat.isActive(s.running.turn)
}

// began shows a turn.
func (s *session) began(r *running, from *origin, started ahp.TurnStarted) {
	s.endAside()
	s.running, r.began = r, time.Now()
	s.chat.start(from, started)
	s.mapper.Start(r.turn)
}

// start begins a turn of a client, which sees it already.
func (s *session) start(turn string, m ahp.Message) {
	if s.running != nil { // it was cancelled, and is not answered yet
		s.held = func() { s.start(turn, m) }
		return
	}
	s.begin(turn)
	s.submit(m)
}

// begin notes that the agent works on a turn from now on.
func (s *session) begin(turn string) {
	s.running = &running{turn: turn, own: true, began: time.Now()}
	s.mapper.Start(turn)
}

// submit gives the agent the message of the turn that was begun.
func (s *session) submit(m ahp.Message) {
	s.connect(func(err error) {
		if err != nil {
			s.failTurn(err)
			return
		}
		s.prepare(&m, func() {
			if !s.shown() { // cancelled meanwhile
				s.finish()
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
		s.failTurn(errLost)
		return
	}
	unwrapped := s.host.contents.unwrapped(*m)
	params := map[string]any{"sessionId": s.record.ACP, "prompt": rawmsg.Encode(mapahp.Prompt(&unwrapped, u.images))}
	u.call(v1.MethodSessionPrompt, params, func(result, failure []byte) {
		if err := failed(failure); err != nil {
			s.isOpen = s.isOpen && !isGone(failure) // the next turn opens it again
			s.failTurn(err)
			return
		}
		var answer v1.PromptResponse
		if err := exactjson.Unmarshal(result, &answer); err != nil {
			s.failTurn(errors.New("the agent's answer makes no sense"))
			return
		}
		s.endTurn(answer.StopReason)
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

// endTurn ends what the agent works on.
func (s *session) endTurn(reason v1.StopReason) {
	if s.shown() {
		s.chat.say(nil, s.mapper.End(reason, s.lasted())...)
	}
	s.finish()
}

// failTurn ends it with an error.
func (s *session) failTurn(err error) {
	if s.shown() {
		s.chat.say(nil, s.mapper.Fail(err.Error(), s.lasted())...)
	}
	s.finish()
}

// lasted is how long the turn has lasted, in milliseconds.
func (s *session) lasted() int64 {
	if !s.chat.ready() {
		return 0
	}
	return time.Since(s.running.began).Milliseconds()
}

// finish goes on after the agent has done its work.
func (s *session) finish() {
	s.running = nil
	if held := s.held; held != nil && len(s.others) == 0 {
		s.held = nil
		held()
		return
	}
	if s.chat.ready() {
		s.save()
	}
	if len(s.others) > 0 && s.others[0].blocks == 0 {
		s.beginOther(s.others[0])
		return
	}
	s.next()
	s.unattend()
}

// next begins the first message that a client has queued.
func (s *session) next() {
	if !s.chat.ready() || s.running != nil || s.chat.active() != nil {
		return
	}
	for _, m := range s.chat.queued() {
		if s.isOthers(m.ID) {
			continue
		}
		turn := s.chat.newTurn()
		s.chat.start(nil, ahp.TurnStarted{TurnID: turn, Message: m.Message, QueuedMessageID: m.ID})
		s.begin(turn)
		s.later(heed, func() { s.submit(m.Message) })
		return
	}
}

// cancel has the agent stop.
func (s *session) cancel() {
	s.held = nil
	if u := s.agent.up; u != nil && s.isOpen {
		about := rawmsg.Encode(map[string]string{"sessionId": s.record.ACP})
		u.post(func(source core.Source) { source.Notify(v1.MethodSessionCancel, about) })
	}
	for _, k := range append([]*ask(nil), s.asks...) {
		k.cancel()
	}
}

// endAside ends a turn that nobody has begun.
func (s *session) endAside() {
	if s.running != nil && s.running.aside {
		if s.shown() {
			s.chat.say(nil, s.mapper.End(v1.StopEndTurn, s.lasted())...)
		}
		s.running = nil
	}
}

// speakAside has a turn for what the agent says while there is none. It ends soon
// after its last word.
func (s *session) speakAside() {
	switch {
	case s.running == nil && s.chat.active() == nil:
		turn := s.chat.newTurn()
		s.began(&running{turn: turn, aside: true}, nil, ahp.TurnStarted{TurnID: turn, Message: ahp.Message{Origin: ahp.Origin{Kind: ahp.FromUser}}})
	case s.running == nil || !s.running.aside:
		return
	}
	if !s.chat.ready() {
		return
	}
	if s.quiet != nil {
		s.quiet.Reset(aside)
		return
	}
	s.quiet = s.later(aside, func() {
		s.quiet = nil
		if s.running != nil && s.running.aside && len(s.asks) == 0 {
			s.endTurn(v1.StopEndTurn)
		}
	})
}
