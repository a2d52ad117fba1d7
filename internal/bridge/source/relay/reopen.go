package relay

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// The notices for the user.
const (
	forgotten = "The agent was restarted: it does not remember the conversation."
	lapsed    = "The agent lost the session: it does not remember the conversation."
	unforked  = "The agent cannot fork sessions: it does not remember the conversation."
)

// reopen opens a session again after its process has ended, and passes on the requests
// that waited for it.
func (s *session) reopen() {
	r := s.relay
	r.mu.Lock()
	u, err := r.upstream(r.cfg.Agent.folder(s.cwd))
	if err == nil {
		u.needed++
	}
	r.mu.Unlock()
	if err == nil {
		select {
		case <-u.handshake.done:
			err = u.handshake.failed
		case <-r.ctx.Done():
			return
		}
	}
	var result []byte
	knows := false
	if err == nil {
		result, knows, err = u.open(r.ctx, s)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s.memory.opening = false
	if err == nil { // otherwise, an agent that is late may still replay the history
		s.memory.replay = false
	}
	if u != nil {
		u.needed--
	}
	if s.forgotten { // it was closed meanwhile
		if u != nil {
			u.names.close(s)
		}
		waiting := s.turn.takeQueue()
		s.forget()
		passAgain(r, waiting)
		return
	}
	if err != nil {
		s.failQueue(err)
		return
	}
	s.memory.lost = u.ended != nil
	defer func() { s.memory.lapse = "" }()
	switch {
	case s.memory.provisional:
		if update := s.memory.establish(result); update != nil {
			r.view.Send(updateNotification(s.id, update))
		}
	case !knows:
		r.view.Send(updateNotification(s.id, r.client.notice(cmp.Or(s.memory.lapse, forgotten))))
	}
	s.release()
}

// failQueue fails the requests that wait for a session that cannot be opened. The
// caller holds the lock.
func (s *session) failQueue(err error) {
	r := s.relay
	for _, q := range slices.Clone(s.turn.queue) {
		r.requests.fail(q, err)
	}
}

// notOpened forgets a session that could not be opened, and fails the requests that wait for it.
// Its prompts fail, too: nobody cancelled them. The caller holds the lock.
func notOpened(s *session, err error) {
	s.failQueue(err)
	s.forget()
}

// open opens a session in a process that does not have it. It resumes or loads the
// session, or else opens a new one. It returns the process's response, and whether the
// agent knows the session's history.
func (u *upstream) open(ctx context.Context, s *session) (result []byte, knows bool, err error) {
	ctx, stop := context.WithTimeout(ctx, u.relay.cfg.Agent.StartTimeout)
	defer stop()
	for _, way := range []struct {
		able   bool
		method string
	}{{u.handshake.able.resume, v1.MethodSessionResume}, {u.handshake.able.load, v1.MethodSessionLoad}} {
		if !way.able || s.memory.provisional {
			continue
		}
		u.relay.mu.Lock()
		remote := s.remote
		s.enter(u, remote)
		s.memory.replay = true // the editor already has the history
		params := withMember(s.opened, "sessionId", rawmsg.Quote(remote))
		if way.method == v1.MethodSessionLoad {
			params = withServers(params)
		}
		u.relay.mu.Unlock()
		a, err := u.rpc.Call(ctx, way.method, json.RawMessage(params), nil)
		if err == nil {
			return a.Result, true, nil
		}
		u.relay.log.Info("the agent cannot continue a session", "method", way.method, "error", err)
		if ctx.Err() != nil {
			return nil, false, u.relay.cfg.Agent.notReopened(err)
		}
	}
	entered := false
	a, err := u.rpc.Call(ctx, v1.MethodSessionNew, json.RawMessage(withServers(rawmsg.Without(s.opened, "sessionId"))), func(line []byte) {
		result, _, _ := rawmsg.Member(line, "result")
		u.relay.mu.Lock()
		defer u.relay.mu.Unlock()
		s.memory.replay = false
		if remote := rawmsg.MemberText(result, "sessionId"); remote != "" {
			s.enter(u, remote)
			entered = true
		}
	})
	if refusal, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return nil, false, &core.AgentError{JSON: u.relay.lawfulError(refusal.Raw)}
	}
	if err == nil && !entered {
		err = errors.New("the agent opened a session without an ID")
	}
	return a.Result, false, u.relay.cfg.Agent.notReopened(err)
}

// notReopened returns the user's error for a session that could not be opened again.
func (a *Agent) notReopened(err error) error {
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s did not open the session again within %s; send your message again, or start a new session", a.reachedAs(), a.StartTimeout)
}

// withServers returns params with a list of MCP servers. Only "session/resume" may omit
// it.
func withServers(params []byte) []byte {
	if servers, _, _ := rawmsg.Member(params, "mcpServers"); servers != nil {
		return params
	}
	return withMember(params, "mcpServers", []byte("[]"))
}

// enter records the process that has the session, and its id there. The caller holds
// the lock.
func (s *session) enter(u *upstream, remote string) {
	if remote != s.id && remote != s.remote {
		s.record.addRemote(remote)
	}
	u.names.enter(s, remote)
	s.up = u
}
