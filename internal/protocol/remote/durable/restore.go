package durable

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
	"github.com/turnwire/turnwire/internal/rawjson"
)

const (
	restarted = "The server was restarted, and this turn was interrupted."
	forgotten = "The server no longer has this connection. The turn may continue there."
)

// maxPause returns the longest pause between two attempts to reconnect.
func (cfg Config) maxPause() time.Duration {
	if client.IsLocal(cfg.URL) {
		return 500 * time.Millisecond // an attempt costs next to nothing
	}
	return 5 * time.Second
}

func (cfg Config) logger() *slog.Logger {
	if cfg.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return cfg.Log
}

// lost handles the loss of the network, or of the server.
func (c *Conn) lost(error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link.lost {
		return
	}
	c.link.lost = true
	c.tellSoon()
	for _, id := range c.state.openCalls() {
		if q := c.state.calls[id]; q.cancelled {
			c.armCancel(id, q)
		}
	}
}

// tellSoon tells the client that the server can't be reached, unless it is back soon. The
// caller holds the lock.
func (c *Conn) tellSoon() {
	if c.link.notice != nil {
		c.link.notice.Stop()
	}
	if c.link.told == nil {
		c.link.notice = time.AfterFunc(noticeDelay, c.tellLost)
	}
}

// tellLost tells the client that the server can't be reached.
func (c *Conn) tellLost() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.link.lost || c.link.told != nil || c.ctx.Err() != nil {
		return
	}
	c.link.told = c.state.concerned()
	c.tell("warning", "The connection to the server was lost. Reconnecting…")
}

// back handles that the server is reachable again.
func (c *Conn) back() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, known := range c.state.sessions {
		known.owed = false // everything that was sent will arrive
	}
	c.restored()
}

// restored tells the client that the connection is back, if it knows that it was lost.
// The caller holds the lock.
func (c *Conn) restored() {
	c.link.lost = false
	if c.link.notice != nil {
		c.link.notice.Stop()
	}
	c.tell("info", "The connection to the server is back.")
	c.link.told = nil
}

// tell tells users something about the connection. The caller holds the lock.
func (c *Conn) tell(severity, text string) {
	for _, id := range c.link.told {
		c.update(id, notice(c.state.notices, severity, text))
	}
}

// update shows an update. The caller holds the lock.
func (c *Conn) update(session string, update []byte) {
	params := append(append(append([]byte(`{"sessionId":`), rawmsg.Quote(session)...), `,"update":`...), update...)
	c.out.add(rawmsg.Request(nil, methodUpdate, append(params, '}')))
}

// failTools ends a session's open tool calls. The caller holds the lock.
func (c *Conn) failTools(id string, s *session) {
	for _, tool := range s.order {
		c.update(id, rawmsg.Encode(map[string]string{"sessionUpdate": "tool_call_update", "toolCallId": tool, "status": "failed"}))
	}
	s.tools, s.order = make(map[string]bool), nil
}

// reset ends everything that was open on a connection that the server no longer has.
func (c *Conn) reset(conn *client.Conn, cause error) {
	message, stopped, anew := forgotten, false, false
	if reset, ok := errors.AsType[*client.ResetError](cause); ok && reset.Restarted {
		message, stopped, anew = restarted, reset.Stopped, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link.stopped = stopped
	s := &c.state
	c.link.ready, c.link.lost = false, true
	c.tellSoon()
	for _, id := range slices.Sorted(maps.Keys(s.sessions)) {
		known := s.sessions[id]
		c.failTools(id, known)
		known.ended, known.missed, known.owed = 0, known.missed || anew, known.owed && !anew
		for ; known.turns > 0; known.turns-- {
			c.update(id, rawmsg.Encode(map[string]string{"sessionUpdate": turnEnds, "error": message}))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.asked)) {
		if a := s.asked[id]; a.epoch == s.epoch && !a.answered {
			c.out.add(rawmsg.Request(nil, methodWithdraw, []byte(`{"requestId":`+id+`}`)))
		}
	}
	s.epoch++
	unsent := promptsIn(append(conn.Unsent(), c.link.waiting...))
	interrupted := make(map[string]bool)
	c.link.waiting = nil
	for id, to := range s.own {
		delete(s.own, id)
		to <- reply{failure: []byte(`{"message":"the connection was lost"}`)}
	}
	for _, id := range s.openCalls() {
		q := s.calls[id]
		switch {
		case q.isPrompt() && q.cancelled:
			if known := s.session(q.session, false); known != nil {
				known.owed = !anew
			}
			c.answer(id, cancelled)
		case q.repeatable():
			c.link.waiting = append(c.link.waiting, q.line)
		case q.isPrompt() && unsent[id] != nil && !interrupted[q.session]:
			c.link.waiting = append(c.link.waiting, unsent[id])
		default:
			interrupted[q.session] = true
			c.refuse(id, message, "interrupted")
		}
	}
}

// promptsIn returns the prompts in lines, by their ids.
func promptsIn(lines [][]byte) map[string][]byte {
	found := make(map[string][]byte)
	for _, line := range lines {
		if m, err := rawmsg.Parse(line); err == nil && m.Method == methodPrompt && m.ID != nil {
			found[string(m.ID)] = line
		}
	}
	return found
}

// repeatable reports whether a request can be sent again although it may have been
// executed: it only opens, lists or chooses something, and shows nothing twice.
func (c *call) repeatable() bool {
	switch c.method {
	case methodLoad:
		return !c.shown
	case methodInitialize, methodNew, methodResume, methodList,
		methodSetMode, methodSetOption, methodAttach:
		return true
	}
	return false
}

// restore initializes a new connection, and resumes the client's sessions on it.
func (c *Conn) restore(ctx context.Context, conn *client.Conn) {
	c.mu.Lock()
	initialize, greeted := c.state.initialize, c.state.greeted
	type saved struct {
		id, method string
		params     []byte
	}
	var sessions []saved
	for _, id := range slices.Sorted(maps.Keys(c.state.sessions)) {
		switch s := c.state.sessions[id]; {
		case s.method != "":
			sessions = append(sessions, saved{id, s.method, s.reopening()})
		case s.observes:
			sessions = append(sessions, saved{id: id})
		default:
			delete(c.state.sessions, id)
		}
	}
	c.mu.Unlock()
	if greeted {
		r, ok := c.call(ctx, conn, methodInitialize, initialize)
		if !ok {
			return
		}
		if r.failure != nil {
			c.cfg.logger().Warn("the restarted server refuses the client", "error", string(r.failure))
		}
		var opening sync.WaitGroup
		for _, s := range sessions { // at the same time, because some agents start slowly
			opening.Go(func() {
				if s.method == "" {
					c.watch(ctx, conn, s.id)
				} else if r, ok := c.reopen(ctx, conn, s.id, s.method, s.params); ok {
					c.resumed(s.id, r)
				}
			})
		}
		opening.Wait()
	}
	if ctx.Err() == nil {
		c.goOn(conn)
	}
}

// afterRestart is the member of a request's _meta that asks for what happened in a session
// since the server was started.
const afterRestart = "turnwire.dev/afterRestart"

// reopening returns the params of the request that opens the session again.
func (s *session) reopening() []byte {
	if !s.missed {
		return s.params
	}
	meta, _, _ := rawmsg.Member(s.params, "_meta")
	if len(meta) == 0 || meta[0] != '{' {
		meta = []byte("{}")
	}
	return rawmsg.Set(s.params, "_meta", rawmsg.Set(meta, afterRestart, []byte("true")))
}

// reopen opens a session again. A session can only be attached to if it is open.
func (c *Conn) reopen(ctx context.Context, conn *client.Conn, id, method string, params []byte) (r reply, ok bool) {
	if r, ok = c.call(ctx, conn, method, params); !ok || r.failure == nil || method != methodAttach {
		return r, ok
	}
	cwd, ok := c.folderOf(ctx, conn, id)
	if !ok || cwd == "" {
		return r, ok
	}
	resume := rawmsg.Encode(map[string]any{"sessionId": id, "cwd": cwd, "mcpServers": []any{}})
	if opened, ok := c.call(ctx, conn, methodResume, resume); !ok || opened.failure != nil {
		return opened, ok
	}
	return c.call(ctx, conn, method, params)
}

// maxPages bounds how much of the list of sessions is read.
const maxPages = 20

// folderOf returns a saved session's folder, or "". It returns false if the connection
// ends.
func (c *Conn) folderOf(ctx context.Context, conn *client.Conn, id string) (cwd string, ok bool) {
	params := []byte("{}")
	for range maxPages {
		r, ok := c.call(ctx, conn, methodList, params)
		if !ok {
			return "", false
		}
		sessions, _, _ := rawmsg.Member(r.result, "sessions")
		if len(sessions) > 0 && sessions[0] == '[' {
			for s := range rawjson.Elements(sessions) {
				if rawmsg.MemberText(s, "sessionId") == id {
					return rawmsg.MemberText(s, "cwd"), true
				}
			}
		}
		cursor := rawmsg.MemberText(r.result, "nextCursor")
		if cursor == "" {
			break
		}
		params = rawmsg.Encode(map[string]string{"cursor": cursor})
	}
	return "", true
}

// call sends a request of this package. It returns false if the connection ends.
func (c *Conn) call(ctx context.Context, conn *client.Conn, method string, params []byte) (r reply, ok bool) {
	answer := make(chan reply, 1)
	c.mu.Lock()
	id := c.state.ownID()
	c.state.own[id] = answer
	c.mu.Unlock()
	c.restoring.Lock()
	_, err := conn.Write(append(rawmsg.Request([]byte(id), method, params), '\n'))
	c.restoring.Unlock()
	if err != nil {
		return r, false
	}
	select {
	case r = <-answer:
		return r, true
	case <-ctx.Done():
		return r, false
	}
}

// resumed shows whether a session was opened again.
func (c *Conn) resumed(id string, r reply) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.state.sessions[id]
	if known == nil {
		return // it was closed meanwhile
	}
	known.missed = false
	if r.failure != nil {
		known.method = ""
		c.update(id, notice(c.state.notices, "error", "This session could not be opened again: "+rawmsg.MemberText(r.failure, "message")))
		return
	}
	if options, _, _ := rawmsg.Member(r.result, "configOptions"); len(options) > 0 && options[0] == '[' {
		c.update(id, append(append([]byte(`{"sessionUpdate":"config_option_update","configOptions":`), options...), '}'))
	}
	modes, _, _ := rawmsg.Member(r.result, "modes")
	if mode := rawmsg.MemberText(modes, "currentModeId"); mode != "" {
		c.update(id, rawmsg.Encode(map[string]string{"sessionUpdate": "current_mode_update", "currentModeId": mode}))
	}
	if known.owed && turnsIn(r.result, 0) > 0 {
		cancel := rawmsg.Request(nil, methodCancel, rawmsg.Encode(map[string]string{"sessionId": id}))
		c.link.waiting = slices.Insert(c.link.waiting, 0, cancel)
	}
	known.owed = false
	for range turnsIn(r.result, 0) - known.turns {
		known.turns++
		c.update(id, []byte(`{"sessionUpdate":"`+turnBegins+`"}`))
	}
}

// goOn sends what waited for the sessions, and lets lines pass again.
func (c *Conn) goOn(conn *client.Conn) {
	for {
		c.mu.Lock()
		waiting := c.link.waiting
		c.link.waiting = nil
		if len(waiting) == 0 {
			c.link.ready = true
			c.restored()
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		for _, line := range waiting {
			if _, err := conn.Write(append(append([]byte(nil), line...), '\n')); err != nil {
				return
			}
		}
	}
}
