package durable

import (
	"bytes"
	"maps"
	"strconv"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// fromServer handles a line from the server.
func (c *Conn) fromServer(conn *client.Conn, line []byte) error {
	c.out.await()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link.conn != conn {
		return nil
	}
	m, err := rawmsg.Parse(line)
	m = m.Sparse()
	switch {
	case err != nil: // the client says what is wrong with it
	case m.Method == "" && m.ID != nil:
		line = c.response(line, m)
	case m.IsRequest():
		line = c.request(line, m)
	case m.Method == methodUpdate:
		if !c.state.updated(m.Params) {
			return nil
		}
		c.state.showing(m.Params)
	case m.Method == methodWithdraw:
		line = c.withdrawn(line, m)
	}
	if line != nil {
		c.out.add(line)
	}
	return nil
}

// response handles the response to a request. It returns the line for the client, or nil.
// The caller holds the lock.
func (c *Conn) response(line []byte, m rawmsg.Message) []byte {
	s, id := &c.state, string(m.ID)
	if to := s.own[id]; to != nil {
		delete(s.own, id)
		to <- reply{bytes.Clone(m.Result), bytes.Clone(m.Error)}
		return nil
	}
	q := s.calls[id]
	if q == nil {
		return nil // it was answered already
	}
	c.forget(id)
	if m.Error != nil {
		return line
	}
	switch q.method {
	case methodInitialize:
		s.greeted = true
		if changed := remote.WithoutTerminalLogins(m.Result); !bytes.Equal(changed, m.Result) {
			return rawmsg.Replace(line, "result", changed)
		}
	case methodNew, methodFork:
		if id := rawmsg.MemberText(m.Result, "sessionId"); id != "" {
			s.opened(id, methodResume, rawmsg.Set(q.params, "sessionId", rawmsg.Quote(id)), m.Result)
		}
	case methodLoad, methodResume:
		if known := s.session(q.session, false); known != nil && known.observes {
			s.opened(q.session, methodAttach, watching(q.session), m.Result)
		} else {
			s.opened(q.session, methodResume, q.params, m.Result)
		}
	case methodAttach:
		s.replayed(m.Result)
		params := rawmsg.Set(q.params, "historyPolicy", []byte(`"pending_only"`))
		if known := s.session(q.session, true); known != nil && known.observes { // whatever it requested
			params = rawmsg.Set(params, "role", []byte(`"`+observer+`"`))
		}
		s.opened(q.session, methodAttach, params, m.Result)
	case methodClose, methodDelete, methodDetach:
		s.closed(q.session)
	}
	return line
}

// showing records that a session is shown to a client that loads it.
func (s *state) showing(params []byte) {
	if s.loads == 0 {
		return
	}
	id := rawmsg.MemberText(params, "sessionId")
	for _, q := range s.calls {
		q.shown = q.shown || q.method == methodLoad && q.session == id
	}
}

// turnsMeta is the member of a response's _meta that has the number of running turns.
const turnsMeta = "turnwire.dev/turns"

// opened records how to restore a session.
func (s *state) opened(id, method string, params, result []byte) {
	if known := s.session(id, true); known != nil {
		known.method, known.params, known.used = method, params, s.clock
		known.turns = turnsIn(result, known.turns)
	}
}

// replayed records what the history in the response to session/attach leaves open.
func (s *state) replayed(result []byte) {
	history, _, _ := rawmsg.Member(result, "history")
	if len(history) == 0 || history[0] != '[' {
		return
	}
	for line := range rawjson.Elements(history) {
		if params, _, _ := rawmsg.Member(line, "params"); len(params) > 0 {
			s.updated(params)
		}
	}
}

// turnsIn returns the number of running turns in a response, or otherwise.
func turnsIn(result []byte, otherwise int) int {
	meta, _, _ := rawmsg.Member(result, "_meta")
	number, _, _ := rawmsg.Member(meta, turnsMeta)
	if n, err := strconv.Atoi(string(number)); err == nil && n >= 0 {
		return n
	}
	return otherwise
}

// request handles a request of the server. It returns the line for the client. The caller
// holds the lock.
func (c *Conn) request(line []byte, m rawmsg.Message) []byte {
	s := &c.state
	if len(s.asked) >= manyAsked {
		maps.DeleteFunc(s.asked, func(_ string, a *asked) bool { return a.answered || len(s.asked) >= maxAsked })
	}
	a := &asked{id: bytes.Clone(m.ID), method: m.Method, session: rawmsg.MemberText(m.Params, "sessionId"), epoch: s.epoch}
	shown := s.shownID(m.ID)
	s.asked[string(shown)] = a
	if s.epoch == 0 {
		return line
	}
	return rawmsg.Replace(line, "id", shown)
}

// shownID returns the client's id for a request of the server. Another server may use the
// same ids as the one before.
func (s *state) shownID(id []byte) []byte {
	if s.epoch == 0 {
		return id
	}
	return rawmsg.Quote("r" + strconv.Itoa(s.epoch) + "-" + string(id))
}

// withdrawn handles the withdrawal of a request of the server. The caller holds the lock.
func (c *Conn) withdrawn(line []byte, m rawmsg.Message) []byte {
	id, _, _ := rawmsg.Member(m.Params, "requestId")
	if c.state.epoch == 0 || id == nil {
		return line
	}
	return rawmsg.Replace(line, "params", rawmsg.Replace(m.Params, "requestId", c.state.shownID(id)))
}

// updated records the tool calls and turns in a session's update. It returns false if the
// client must not see it.
func (s *state) updated(params []byte) bool {
	update, _, _ := rawmsg.Member(params, "update")
	if len(update) == 0 || update[0] != '{' {
		return true
	}
	kind, tool, status := "", "", ""
	for o := rawjson.Walk(update); ; {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "sessionUpdate":
			kind = rawmsg.Text(value)
		case "toolCallId":
			tool = rawmsg.Text(value)
		case "status":
			status = rawmsg.Text(value)
		}
	}
	switch kind {
	case "tool_call", "tool_call_update", turnBegins, turnEnds:
	default:
		return true
	}
	known := s.session(rawmsg.MemberText(params, "sessionId"), true)
	switch {
	case known == nil:
	case kind == turnBegins:
		known.turns++
	case kind == turnEnds && known.ended > 0:
		known.ended--
		return false
	case kind == turnEnds:
		known.turns = max(0, known.turns-1)
	case kind == "tool_call" || status != "":
		known.tool(tool, status)
	}
	return true
}
