package relay

import (
	"errors"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// hintWait is how long an agent may take to respond to "initialize" before the user gets a
// hint.
const hintWait = 2500 * time.Millisecond

// noEvents is the advice about a command that may print events.
const noEvents = "if it prints events, remove --agent acp"

// A misuse watches an agent until its handshake succeeds, because the command may be one
// that does not speak the protocol.
type misuse struct {
	up *upstream

	// The relay's mutex guards the following fields.
	stray  *lint.Finding // what a stray line shows; nil if nothing
	advice *notice       // what the user was told; nil if nothing
}

// line examines a line that is no message of the protocol.
func (m *misuse) line(line []byte) {
	f, certain, ok := lint.NotACP(line)
	switch {
	case !ok:
	case certain:
		m.fail(f)
	default:
		m.up.relay.mu.Lock()
		m.stray = &f
		m.up.relay.mu.Unlock()
	}
}

// fail fails the handshake. An agent whose handshake has succeeded may print anything.
func (m *misuse) fail(f lint.Finding) {
	m.up.relay.mu.Lock()
	ready := m.up.handshake.ready
	m.up.relay.mu.Unlock()
	if !ready {
		m.up.rpc.Close(errors.New(f.Advice()))
	}
}

// hint tells the user that the agent has not responded to "initialize" yet. The agent may
// just be slow, so it goes on.
func (m *misuse) hint() {
	r, u := m.up.relay, m.up
	r.mu.Lock()
	defer r.mu.Unlock()
	if u.handshake.ready || u.handshake.failed != nil || r.ending {
		return
	}
	if f, ok := lint.Stderr(u.transport.StderrTail()); ok && f.Rule == lint.OnStderr {
		m.stray = &f
	}
	n := notice{"info", r.cfg.Agent.reachedAs() + " has not responded yet; it may still be starting; " + noEvents}
	switch {
	case m.stray != nil:
		n = notice{"warning", m.stray.Advice()}
	case !r.cfg.Agent.Command, r.cache.recall(r.client.initialize) != nil:
		return // it speaks the protocol, so it is just slow
	}
	r.log.Warn("the agent has not responded to initialize yet", "agent", r.cfg.Agent.Name, "hint", n.text)
	n.text = strings.ToUpper(n.text[:1]) + n.text[1:]
	u.advise(n)
}

// exit says how the process ended.
func (m *misuse) exit() error {
	u := m.up
	text := u.transport.End()
	u.relay.mu.Lock()
	defer u.relay.mu.Unlock()
	if !u.handshake.ready && u.relay.cfg.Agent.Command {
		text = strings.TrimSuffix(text, ".") + "; " + noEvents
	}
	return errors.New(text)
}
