package hostahp

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// open calls then, with the lock held, once the session has a state, or with why it
// cannot have one. One in which nothing was said has one at once. The lock is held.
func (s *session) open(then func(error)) {
	if s.chat.ready() {
		then(nil)
		return
	}
	s.connect(then)
}

// connect calls then once the session is open at the agent, which may have to begin
// for that.
func (s *session) connect(then func(error)) {
	if s.isOpen {
		then(nil)
		return
	}
	s.opening = append(s.opening, then)
	if len(s.opening) > 1 {
		return
	}
	s.agent.connect(func(u *upstream, err error) {
		switch {
		case err != nil:
			s.connected(err)
		case s.record.ACP == "":
			s.create(u)
		default:
			s.resume(u)
		}
	})
}

// connected calls those that have waited.
func (s *session) connected(err error) {
	waiting := s.opening
	s.opening = nil
	for _, then := range waiting {
		then(err)
	}
}

// folders are those of a request that opens the session.
func (s *session) folders() map[string]any {
	params := map[string]any{"cwd": s.record.Folders[0], "mcpServers": []any{}}
	if more := s.record.Folders[1:]; len(more) > 0 {
		params["additionalDirectories"] = more
	}
	return params
}

// create has the agent begin the session.
func (s *session) create(u *upstream) {
	u.call(v1.MethodSessionNew, s.folders(), func(result, failure []byte) {
		var opened v1.NewSessionResponse
		err := failed(failure)
		if err == nil {
			err = exactjson.Unmarshal(result, &opened)
		}
		if err == nil && opened.SessionID == "" {
			err = errors.New("the agent's session has no id")
		}
		if err != nil {
			s.connected(fmt.Errorf("the agent cannot begin a session: %w", err))
			return
		}
		s.record.ACP = opened.SessionID
		s.host.sessions.placed(s)
		s.setOffers(opened.ConfigOptions, opened.Modes)
		s.agent.offer(s.offers)
		if !s.host.sessions.has(s) { // it was disposed of meanwhile
			s.attach(u)
			return
		}
		// A host that is killed finds what was said in the session by that id alone.
		// Therefore nothing is said before it is on the disk.
		s.host.saver.keep(*s.record, func() {
			s.host.mu.Lock()
			defer s.host.mu.Unlock()
			s.attach(u)
		})
	})
}

// resume has the agent go on with the session. What was said comes with attach, in
// one piece with what is said then: session/load would leave a gap between.
func (s *session) resume(u *upstream) {
	params := s.folders()
	params["sessionId"] = s.record.ACP
	u.call(v1.MethodSessionResume, params, func(result, failure []byte) {
		var opened v1.ResumeSessionResponse
		err := failed(failure)
		if err == nil {
			err = exactjson.Unmarshal(result, &opened)
		}
		if err != nil {
			s.connected(fmt.Errorf("the session cannot be opened: %w", err))
			return
		}
		s.setOffers(opened.ConfigOptions, opened.Modes)
		s.attach(u)
	})
}

// attach takes the history of the session, and what follows it.
func (s *session) attach(u *upstream) {
	id := s.record.ACP
	u.sessions[id] = s
	u.call(methodAttach, map[string]string{"sessionId": id, "historyPolicy": "full"}, func(result, failure []byte) {
		var attached struct {
			ClientID string `json:"clientId"`
			History  []said `json:"history"`
			Meta     struct {
				Turns int `json:"turnwire.dev/turns"`
			} `json:"_meta"`
		}
		err := failed(failure)
		if err == nil {
			err = exactjson.Unmarshal(result, &attached)
		}
		if err != nil {
			delete(u.sessions, id)
			s.connected(fmt.Errorf("the session cannot be attached to: %w", err))
			return
		}
		s.self, s.isOpen = attached.ClientID, true
		if s.chat.ready() {
			for _, m := range attached.History {
				if u, err := v1.UnmarshalUpdate(m.update()); err == nil {
					s.updateOfSession(u)
				}
			}
		} else {
			s.deferred = nil
			s.turn.drop()
			s.others.drop()
			s.asks.drop()
			s.chat.replay(func() {
				for _, m := range attached.History {
					if update := m.update(); update != nil {
						s.past(update)
					}
				}
				s.settle(attached.Meta.Turns > 0)
			})
		}
		s.connected(nil)
		s.unattend()
	})
}

// said is a message of a session's history.
type said struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// update returns the message's update; nil if it has none.
func (m *said) update() []byte {
	var p struct {
		Update json.RawMessage `json:"update"`
	}
	if m.Method != v1.MethodSessionUpdate || exactjson.Unmarshal(m.Params, &p) != nil {
		return nil
	}
	return p.Update
}

// settle ends the turn that the history has left open, unless it still runs. The
// history doesn't say when that one began.
func (s *session) settle(running bool) {
	if s.turn.runs() && (s.turn.isUnsolicited() || s.turn.isOwn() || !running) {
		s.turn.end(v1.StopEndTurn)
	}
	if t := s.chat.active(); t != nil && t.StartedAt == "" {
		t.StartedAt = now()
	}
	if t := s.chat.last(); t != nil {
		s.stamp(&t.Message) // VS Code reads the model there
	}
	s.turn.flush()
}

// lose takes note that the connection with the agent has gone.
func (s *session) lose() {
	s.isOpen = false
	s.asks.withdraw()
	s.others.drop()
	if s.turn.runs() && !s.turn.isOwn() { // an own one is answered with the error
		s.turn.fail(errLost)
	}
}
