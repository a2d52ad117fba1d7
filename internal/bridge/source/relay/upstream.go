package relay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/internal/agent/acptransport"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// An upstream is one of the agent's processes, or one connection to its server.
type upstream struct {
	relay     *relay
	folder    string // the folder it runs in; "" is Turnwire's own
	transport acptransport.Transport
	rpc       *jsonrpc.Conn

	updates  updates // only for the goroutine that reads
	listener listener
	misuse   misuse

	// The relay's mutex guards the following fields.
	handshake handshake
	names     names
	early     early
	calls     map[int64]*request         // requests that the agent has not answered
	pending   map[string]*pendingRequest // requests that the agent waits for, by its own ids
	needed    int                        // sessions being opened here without a request from the editor
	retired   bool                       // no session needs it any more
	ended     error                      // why it ended; nil while it runs
}

// upstream returns the agent's process in a folder. It starts one if none is running.
// The caller holds the lock.
func (r *relay) upstream(folder string) (*upstream, error) {
	if u := r.ups[folder]; u != nil {
		return u, nil
	}
	if r.ending {
		return nil, protocol.Errorf(protocol.CodeInternal, "the connection is ending")
	}
	spec := r.cfg.Agent.spec()
	spec.Dir, spec.Log = folder, r.log
	c, err := r.cfg.Agent.Start(spec)
	if err != nil && r.cfg.Agent.URL != "" {
		return nil, protocol.Errorf(protocol.CodeInternal, "%w", err)
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.CodeInternal, "%w; %s", err, cmp.Or(r.cfg.Agent.Missing, "check that it is installed and in PATH"))
	}
	u := &upstream{
		relay:     r,
		folder:    folder,
		transport: c,
		rpc:       jsonrpc.New(r.log, c.Kill),
		handshake: handshake{done: make(chan struct{})},
		names:     newNames(),
		calls:     make(map[int64]*request),
		pending:   make(map[string]*pendingRequest),
	}
	u.updates.up, u.misuse.up, u.early.up = u, u, u
	r.ups[folder] = u
	initialize := r.client.initialize
	r.work.Go(u.read)
	r.work.Go(func() {
		if err := u.rpc.Write(c.Stdin()); err != nil {
			r.log.Debug("the agent no longer reads", "error", err)
			c.Kill() // nothing more can be written to it
		}
	})
	r.work.Go(func() { u.initialize(initialize) })
	if r.cfg.Agent.IdleTimeout > 0 {
		r.work.Go(u.watch)
	}
	return u, nil
}

// read reads from the agent until it ends.
func (u *upstream) read() {
	err := u.rpc.Read(u.transport.Stdout(), u)
	if err != nil {
		u.relay.log.Warn("cannot read from the agent", "error", err)
	}
	u.transport.Stop(context.Background())
	exit := u.misuse.exit()
	u.rpc.Close(exit)
	u.failAll(exit)
	u.transport.Close()
}

// failAll fails everything that waits for a process that has ended.
func (u *upstream) failAll(exit error) {
	r := u.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ups[u.folder] == u {
		delete(r.ups, u.folder)
	}
	if r.ending {
		return
	}
	if !u.retired {
		r.log.Warn("the agent stopped", "error", exit)
	}
	for _, s := range slices.SortedFunc(maps.Values(u.names.sessions), byID) {
		showHeld(s)
		for _, n := range s.closeCalls() {
			r.view.Send(n)
		}
		s.memory.lost, s.memory.replay = true, false
		s.turn.lost()
		s.withdraw()
	}
	for _, id := range slices.Sorted(maps.Keys(u.pending)) {
		if a := u.pending[id]; a != nil {
			a.withdraw()
		}
	}
	failure := protocol.Errorf(protocol.CodeInternal, "%w", exit).With("code", "agent_exited")
	u.ended = failure
	for _, q := range inOrder(maps.Values(u.calls)) {
		if s := q.session; q.isPrompt() && s != nil && s.turn.isCancelled() {
			r.requests.reply(q, cancelledPrompt)
			continue
		}
		r.requests.fail(q, failure)
	}
	for _, h := range u.handshake.waiting {
		if h.request != nil {
			r.requests.fail(h.request, failure)
		}
	}
	u.handshake.waiting = nil
	for _, s := range slices.SortedFunc(maps.Values(u.names.sessions), byID) {
		if len(s.turn.queue) > 0 {
			s.attend()
		}
	}
}

// forward sends a request to the agent, or holds it until the agent is initialized. The
// agent may have ended while the request waited; then the request fails. The caller holds
// the lock.
func (u *upstream) forward(q *request) {
	q.up = u
	if u.ended != nil {
		u.relay.requests.fail(q, u.ended)
		return
	}
	if q.isPrompt() && q.session != nil {
		q.session.turn.begin(q)
	}
	if !u.handshake.ready {
		if !q.openProvisional(u) {
			u.handshake.waiting = append(u.handshake.waiting, queuedMessage{request: q})
		}
		return
	}
	u.send(q)
}

// send writes a request to the agent. The caller holds the lock.
func (u *upstream) send(q *request) {
	r := u.relay
	if !r.requests.waits(q) {
		return // it was answered meanwhile
	}
	q.number, q.sent = u.rpc.NextID(), true
	u.calls[q.number] = q
	params := q.params
	if q.session == nil && q.remote != "" {
		params = rawmsg.Replace(params, "sessionId", rawmsg.Quote(q.remote))
	}
	if s := q.session; s != nil {
		params = s.translated(params)
		if s.up == nil { // it is being loaded or resumed
			s.up, s.opened = u, q.params
			u.names.sessions[s.remote] = s
		}
		if q.isPrompt() {
			if q.again == notAgain {
				s.record.addPrompt(s.id, q.params)
			}
			for _, n := range s.late.take() {
				r.view.Send(n)
			}
			if q.again == notAgain && u.handshake.able.announcesForks(&r.client) {
				if cursor := s.cursors.announce(promptID(params), s.turn.isOnly(q)); cursor != nil {
					r.view.Send(updateNotification(s.id, cursor))
				}
			}
			if q.again == notAgain {
				q.params = q.withParts(q.params) // also if it is sent again
				params = s.translated(q.params)
			}
			s.tellUnrecorded()
			if s.memory.forgets != "" {
				r.view.Send(updateNotification(s.id, r.client.notice(s.memory.forgets)))
				s.memory.forgets = ""
			}
		}
	}
	if q.method == v1.MethodSessionNew || q.method == v1.MethodSessionFork {
		u.early.openings++
	}
	method := q.method
	if method == v1.MethodSessionFork {
		params = q.airParams(params)
	}
	if q.forking.forgets != "" { // it is a session/fork
		method, params = v1.MethodSessionNew, withServers(rawmsg.Without(params, "sessionId"))
	}
	u.rpc.Put(rawmsg.Request(strconv.AppendInt(nil, q.number, 10), method, params))
}

// enqueue sends a notification, or holds it until the agent is initialized. The caller
// holds the lock.
func (u *upstream) enqueue(line []byte) {
	if !u.handshake.ready {
		u.handshake.waiting = append(u.handshake.waiting, queuedMessage{line: line})
		return
	}
	u.rpc.Put(line)
}

// Line implements [jsonrpc.Handler]. It handles updates, and no other lines.
func (u *upstream) Line(line []byte) bool {
	u.listener.begin()
	return u.updates.line(line)
}

// Message implements [jsonrpc.Handler].
func (u *upstream) Message(line []byte, m jsonrpc.Message) error {
	switch {
	case m.IsRequest() && m.Method == v1.MethodInitialize:
		u.misuse.fail(lint.New(lint.Echo, "the program repeats its input"))
	case m.Method != "":
		if !u.early.holdUnnamed(rawmsg.MemberText(objectOf(m.Params), "sessionId"), line) {
			u.incoming(line, m)
		}
	case m.IsResponse():
		if m.ID == nil { // an event can have an error too
			u.misuse.line(line)
		}
		u.answer(m)
	default:
		u.misuse.line(line)
		u.relay.repairs.note(repairNoMessage)
		return errors.New("it is not a message")
	}
	return nil
}

// incoming passes on a request or a notification from the agent that is not an update.
func (u *upstream) incoming(line []byte, m jsonrpc.Message) {
	u.updates.releaseHeld(m.Params)
	if m.IsRequest() {
		u.request(m)
		return
	}
	u.notification(line, m)
}

// notification passes on a notification from the agent that is not an update.
func (u *upstream) notification(line []byte, m jsonrpc.Message) {
	r := u.relay
	r.mu.Lock()
	if m.Method == v1.MethodCancelRequest {
		u.cancelRequest(m.Params)
		r.mu.Unlock()
		return
	}
	n := core.Notification{Line: line, Session: rawmsg.MemberText(m.Params, "sessionId")}
	if s := u.names.sessions[n.Session]; s != nil && s.id != s.remote {
		n.Line, n.Session = rawmsg.Replace(line, "params", rawmsg.Replace(m.Params, "sessionId", rawmsg.Quote(s.id))), s.id
	}
	r.mu.Unlock()
	n.Line = clean(n.Line)
	r.relay(n)
}

// Unread implements [jsonrpc.Handler].
func (u *upstream) Unread(line []byte, cause error) {
	u.relay.repairs.note(repairTooLong, "error", cause)
	head, _ := jsonrpc.Parse(line) // the part before the cut
	switch {
	case head.Method != "" && head.ID != nil:
		u.rpc.Fail(bytes.Clone(head.ID), protocol.Wire(protocol.Errorf(protocol.CodeInvalidRequest, "the line is too long")))
	case head.Method == "" && head.ID != nil:
		n, ok := head.Number()
		if !ok {
			return
		}
		u.relay.mu.Lock()
		defer u.relay.mu.Unlock()
		if q := u.calls[n]; q != nil {
			delete(u.calls, n)
			u.relay.requests.fail(q, protocol.Errorf(protocol.CodeInternal, "the agent's response is too long"))
		}
	}
}

// Flush implements [jsonrpc.Handler].
func (u *upstream) Flush() {
	u.relay.view.Flush()
	u.listener.finish()
}
