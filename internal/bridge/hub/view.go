package hub

import (
	"bytes"
	"slices"
	"sync/atomic"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// Chunks implements [core.View]. It never waits: slow clients get longer chunks.
func (u *upstream) Chunks(f *core.Frame, text []byte, _ []int) error {
	line := make([]byte, 0, len(f.Prefix)+len(text)+len(f.Suffix))
	line = append(append(append(line, f.Prefix...), text...), f.Suffix[:len(f.Suffix)-1]...)
	u.add(f.Session, nil, func(*session) change {
		from := len(f.Prefix)
		return change{
			line: line, from: f.Update, to: len(line) - len("}}"), textFrom: from, textTo: from + len(text), kind: string(f.Kind),
		}
	})
	return nil
}

// Update implements [core.View].
func (u *upstream) Update(id string, update v1.Update, at v1.Times) error {
	body := update.AppendJSON(nil)
	u.add(id, nil, func(s *session) change {
		c := s.envelope.change(body)
		c.times, c.replayed = at, at != v1.Times{}
		if c.know(update); !isCall(c.kind) {
			s.note(body)
		}
		return c
	})
	return nil
}

// Relay implements [core.View].
func (u *upstream) Relay(n core.Notification) error { u.Send(n); return nil }

// Send implements [core.View].
func (u *upstream) Send(n core.Notification) {
	switch {
	case n.Session == "":
		u.hub.mu.Lock()
		defer u.hub.mu.Unlock()
		u.broadcast(bytes.Clone(n.Line))
	case n.Echo != nil:
		echoed(u, n)
	case n.To == 0:
		line := bytes.Clone(n.Line)
		u.add(n.Session, n.Gate, func(*session) change { return change{line: line} })
	default:
		u.add(n.Session, n.Gate, func(s *session) change {
			update := n.Line[n.From:n.To]
			s.note(update)
			if !s.envelope.fits(n) {
				params, _, _ := rawmsg.Member(n.Line, "params")
				return s.envelope.changeOf(v1.MethodSessionUpdate, params)
			}
			c := s.envelope.change(update)
			c.times, c.replayed = n.At, n.At != v1.Times{}
			return c
		})
	}
}

// add adds a change to a session of the source. It calls made under the lock to build
// the change. If gate is set by then, the change is dropped.
func (u *upstream) add(id string, gate *atomic.Bool, made func(*session) change) {
	u.hub.mu.Lock()
	defer u.hub.mu.Unlock()
	if gate != nil && gate.Load() {
		return
	}
	if s := u.sessionOf(id); s != nil {
		s.add(made(s))
	}
}

// sessionOf returns the session with an id. The session may be new, because the
// response that opens it comes later. sessionOf returns nil if the update should be
// dropped. The caller holds the lock.
func (u *upstream) sessionOf(id string) *session {
	h := u.hub
	s := h.sessions[id]
	switch {
	case s != nil:
		return s
	case h.ending[id] != nil: // sent after the session ended
		return nil
	case len(h.sessions) >= maxSessions:
		h.log.Warn("dropped an update of an unknown session", "session", id)
		return nil
	}
	return h.newSession(id)
}

// Request implements [core.View].
func (u *upstream) Request(a *core.Request) error {
	u.hub.mu.Lock()
	defer u.hub.mu.Unlock()
	if a.Gate == nil || !a.Gate.Load() {
		u.asked(a)
	}
	return nil
}

// Withdraw implements [core.View]. The request is answered with an error that says so.
func (u *upstream) Withdraw(a *core.Request) {
	u.hub.mu.Lock()
	defer u.hub.mu.Unlock()
	of := func(k *pendingRequest) bool { return k.of == a }
	pending := u.sessionless
	if s := u.hub.sessions[a.Session]; s != nil {
		pending = s.pending
	}
	if i := slices.IndexFunc(pending, of); i >= 0 {
		pending[i].fail(protocol.CodeRequestCancelled, "the request was withdrawn")
	}
}

// Forget implements [core.View]. Withdraw has already dropped the request.
func (u *upstream) Forget(*core.Request) {}

// AwaitRoom implements [core.View].
func (u *upstream) AwaitRoom() {}

// Flush implements [core.View].
func (u *upstream) Flush() {}

// keep makes the source save what was shown, before a client reads it. The last source may still
// be saving although it has ended.
func (h *Hub) keep() {
	h.mu.Lock()
	both := [...]*upstream{h.lost, h.upstream}
	h.mu.Unlock()
	for _, u := range both {
		if u == nil {
			continue
		}
		if source := u.source.Load(); source != nil {
			(*source).Keep()
		}
	}
}

var _ core.View = (*upstream)(nil)

// notified handles a notification from the other end of a wire. The caller holds the
// lock.
func (u *upstream) notified(method string, params []byte) {
	id := rawmsg.MemberText(params, "sessionId")
	s := u.hub.sessions[id]
	switch {
	case u.peer != "" && (s == nil || s.peer != u):
	case u.peer != "" && method == methodEnded:
		s.end(errGone)
	case id == "":
		u.broadcast(rawmsg.Request(nil, method, params))
	default:
		if s = u.sessionOf(id); s != nil {
			c := s.envelope.changeOf(method, params)
			if u.peer != "" {
				if e, update := eventAt(u.peer, c.update()); e != nil {
					s.prompts.note(e)
					c = s.envelope.event(e, update)
				}
			}
			s.note(c.update())
			s.add(c)
		}
	}
}
