package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A handshake is the state of initializing one of the agent's processes. Messages for
// the agent wait until it is done.
type handshake struct {
	done   chan struct{} // closed when able or failed is set
	able   capabilities
	failed error // why the process is unusable; a [core.AgentError] if the agent returned it

	// The relay's mutex guards the following fields.
	ready   bool // it is initialized, and waiting was sent
	waiting []queuedMessage
}

// A queuedMessage waits until the agent is initialized.
type queuedMessage struct {
	request *request
	line    []byte // a notification
}

// initialize initializes the agent, and then sends the messages that waited for it.
func (u *upstream) initialize(params []byte) {
	r := u.relay
	ctx, stop := context.WithTimeout(r.ctx, r.cfg.Agent.StartTimeout)
	defer stop()
	silent := time.AfterFunc(hintWait, u.misuse.hint)
	defer silent.Stop()
	a, err := u.rpc.Call(ctx, v1.MethodInitialize, json.RawMessage(params), nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	defer close(u.handshake.done)
	greeting := r.requests.greeting()
	if version, _, _ := rawmsg.Member(a.Result, "protocolVersion"); err == nil && version == nil {
		err = fmt.Errorf("%s sent a malformed initialize response: %.200s", r.cfg.Agent.reachedAs(), a.Result)
	}
	if err != nil {
		u.fail(greeting, err)
		return
	}
	u.handshake.able = abilities(a.Result)
	sent := r.client.initialize
	r.work.Go(func() { r.cache.remember(sent, a.Result) })
	switch {
	case greeting != nil:
		r.introduce(greeting, clean(a.Result))
	case r.client.version == "": // the client has cancelled its "initialize"
		r.client.negotiated(a.Result)
	default:
		r.client.amend(introduction(r, clean(a.Result)))
	}
	u.handshake.ready = true
	waiting := u.handshake.waiting
	u.handshake.waiting = nil
	for _, h := range waiting {
		if h.request != nil {
			u.send(h.request)
			continue
		}
		u.rpc.Put(h.line)
	}
}

// fail stops an agent that cannot be initialized, and fails the waiting requests. The
// caller holds the lock.
func (u *upstream) fail(greeting *request, err error) {
	r := u.relay
	if r.ending {
		return
	}
	if r.ups[u.folder] == u {
		delete(r.ups, u.folder)
	}
	refuse := func(q *request) { r.requests.fail(q, u.startError(err)) }
	u.handshake.failed = u.startError(err)
	if refusal, ok := errors.AsType[*jsonrpc.Error](err); ok {
		u.handshake.failed = &core.AgentError{JSON: r.lawfulError(refusal.Raw)}
		refuse = func(q *request) { r.requests.fail(q, u.handshake.failed) }
	}
	for _, h := range u.handshake.waiting {
		if h.request != nil {
			refuse(h.request)
		}
	}
	u.handshake.waiting = nil
	if greeting != nil {
		r.client.initialize = nil // let the editor try again
		refuse(greeting)
	}
	u.transport.Kill()
}

// startError returns a handshake's error for the user.
func (u *upstream) startError(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%s did not respond to initialize within %s; check that it speaks the Agent Client Protocol%s",
			u.relay.cfg.Agent.reachedAs(), u.relay.cfg.Agent.StartTimeout, u.relay.cfg.Agent.where())
		if u.relay.cfg.Agent.Command {
			err = fmt.Errorf("%w; %s", err, noEvents)
		}
	}
	return protocol.Errorf(protocol.CodeInternal, "%w", err).With("code", "agent_start_failed")
}
