package durable

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// cancelled is the result of a cancelled prompt.
var cancelled = []byte(`{"stopReason":"cancelled"}`)

// fromClient handles a line from the client.
func (c *Conn) fromClient(line []byte) error {
	if err := c.ctx.Err(); err != nil {
		return errClosed
	}
	// Read it as the server does, so that its response has the same id.
	if line = rawjson.CleanValue(rawjson.Valid(rawmsg.Trim(line))); len(line) == 0 {
		return nil
	}
	m, err := rawmsg.Parse(line)
	response, answerable := m.IsResponse(), string(m.Echo()) != "null"
	m = m.Sparse()
	c.mu.Lock()
	switch {
	case errors.Is(err, rawmsg.ErrNoObject), response && err != nil: // the server refuses or drops it
	case response:
		if line = c.answered(line, m); line == nil {
			c.mu.Unlock()
			return nil
		}
	case answerable: // even if it is malformed: the server answers it with an error
		c.called(line, m)
	case m.ID != nil: // the server answers with the id null
	case m.Method == methodCancel:
		c.cancelled(rawmsg.MemberText(m.Params, "sessionId"))
	}
	send := c.forward(line)
	c.mu.Unlock()
	return send()
}

// called records a request, which may be malformed. The caller holds the lock.
func (c *Conn) called(line []byte, m rawmsg.Message) {
	s := &c.state
	c.link.stopped = false
	s.clock++
	q := &call{number: s.clock, method: m.Method, session: rawmsg.MemberText(m.Params, "sessionId")}
	if !q.isPrompt() {
		q.params, q.line = bytes.Clone(m.Params), bytes.Clone(line)
	}
	c.forget(string(m.ID)) // a client that uses an id twice can't tell the responses apart
	s.calls[string(m.ID)] = q
	if m.Method == methodLoad {
		s.loads++
	}
	if known := s.session(q.session, q.isPrompt()); known != nil {
		known.used = s.clock
	}
	if m.Method == methodAttach && rawmsg.MemberText(m.Params, "role") == observer {
		if known := s.session(q.session, true); known != nil {
			known.observes = true // even if it can't attach: it may load the session later
			if known.method != "" {
				known.method, known.params = methodAttach, watching(q.session)
			}
		}
	}
	if m.Method == methodInitialize {
		s.initialize = q.params
		s.notices = showsNotices(m.Params)
	}
}

// answered handles the client's answer to a request. It returns the line for the server,
// or nil if the server no longer waits for it. The caller holds the lock.
func (c *Conn) answered(line []byte, m rawmsg.Message) []byte {
	a := c.state.asked[string(m.ID)]
	if a == nil {
		return line
	}
	if a.epoch != c.state.epoch {
		delete(c.state.asked, string(m.ID))
		return nil
	}
	a.answered = true // it stays, because a cancel may overtake the answer
	if !bytes.Equal(a.id, m.ID) {
		line = rawmsg.Replace(line, "id", a.id)
	}
	return line
}

// cancelled handles the cancel of a session's turn. Permissions that have not reached the
// server become refusals. The caller holds the lock.
func (c *Conn) cancelled(session string) {
	c.link.conn.Amend(func(line []byte) []byte { return c.refusal(line, session) })
	for i, line := range c.link.waiting {
		c.link.waiting[i] = c.refusal(line, session)
	}
	for _, id := range c.state.openCalls() {
		if q := c.state.calls[id]; q.isPrompt() && q.session == session {
			q.cancelled = true
			c.armCancel(id, q)
		}
	}
}

// refusal returns the line that replaces an answer to one of a session's permission
// requests.
func (c *Conn) refusal(line []byte, session string) []byte {
	m, err := rawmsg.Parse(line)
	if err != nil || m.Method != "" || m.Result == nil {
		return line
	}
	for _, a := range c.state.asked {
		if bytes.Equal(a.id, m.ID) && a.epoch == c.state.epoch && a.session == session && a.method == methodPermission {
			return rawmsg.Response(m.ID, rawmsg.Result, []byte(`{"outcome":{"outcome":"cancelled"}}`))
		}
	}
	return line
}

// armCancel answers a cancelled prompt after a while if the server can't be reached. The
// caller holds the lock.
func (c *Conn) armCancel(id string, q *call) {
	if !c.link.lost || q.grace != nil {
		return
	}
	q.grace = time.AfterFunc(cancelGrace, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		q.grace = nil
		if c.state.calls[id] != q || !c.link.lost || c.ctx.Err() != nil {
			return
		}
		if known := c.state.session(q.session, false); known != nil {
			known.owed = true
			c.failTools(q.session, known)
			if known.turns > 0 {
				known.turns--
				known.ended++
				c.update(q.session, []byte(`{"sessionUpdate":"`+turnEnds+`","stopReason":"cancelled"}`))
			}
		}
		c.link.waiting = slices.DeleteFunc(c.link.waiting, func(line []byte) bool {
			m, err := rawmsg.Parse(line)
			return err == nil && m.Method == methodPrompt && string(m.ID) == id
		})
		c.answer(id, cancelled)
	})
}

// answer answers the client's request. A later response of the server is dropped. The
// caller holds the lock.
func (c *Conn) answer(id string, result []byte) {
	c.forget(id)
	c.out.add(rawmsg.Response([]byte(id), rawmsg.Result, result))
}

// refuse answers the client's request with an error. The caller holds the lock.
func (c *Conn) refuse(id, message, code string) {
	c.forget(id)
	failure := rawmsg.Encode(map[string]any{"code": -32603, "message": message, "data": map[string]string{"code": code, "details": message}})
	c.out.add(rawmsg.Response([]byte(id), rawmsg.Error, failure))
}

func (c *Conn) forget(id string) {
	q := c.state.calls[id]
	if q == nil {
		return
	}
	if q.grace != nil {
		q.grace.Stop()
	}
	if q.method == methodLoad {
		c.state.loads--
	}
	delete(c.state.calls, id)
}

// ownID returns the id of another request of this package. A client's id is unlikely to
// look like it.
func (s *state) ownID() string {
	s.lastOwn++
	return `"turnwire-resume-` + strconv.Itoa(s.lastOwn) + `"`
}
