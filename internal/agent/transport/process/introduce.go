package process

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/tools"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// watch sees each event of a child before its receiver does. If the child
// introduces itself, watch sends it its session.
func (r *run) watch(e agent.Event) {
	info, ok := e.(*agent.Introduction)
	if !ok {
		return
	}
	b := r.backend
	b.mu.Lock()
	known := *info
	known.Options, known.Commands, known.Modes, known.Models, known.Base = nil, nil, nil, nil, agent.Base{} // these belong to the event
	b.info = &known
	tell := !r.configured
	r.configured = true
	b.mu.Unlock()
	if tell {
		r.tellSession(info)
		close(r.greeted)
	}
	b.remember()
	b.isIntroduced()
}

// tellSession sends the session to the child. A child that keeps its
// conversations continues the one of the previous child.
func (r *run) tellSession(info *agent.Introduction) {
	o := &r.backend.options
	c := agent.SessionCommand{
		Type:       agent.CommandSession,
		SessionID:  o.SessionID,
		Cwd:        o.Cwd,
		Roots:      append([]string{}, o.Roots...),
		MCPServers: append([]json.RawMessage{}, o.MCPServers...),
		Editor:     o.About,
		System:     o.System,
	}
	if info.Tools {
		c.Tools = tools.All()
	}
	if m := o.Memory(); info.Resume && r.goesOn && !m.Rewound {
		c.Resume, c.State, c.ForkOf = true, m.State, m.ForkOf
	}
	line, err := r.backend.encode(c)
	if err != nil {
		o.Log.Warn("the session command could not be sent", "error", err)
		return
	}
	if line != nil {
		r.out.Put(line)
	}
}

// awaitGreeting waits for the introduction of a child that replaces one that had
// introduced itself. The child must receive its session before the prompt.
func (r *run) awaitGreeting(ctx context.Context, t *lifecycle.Turn) {
	b := r.backend
	b.mu.Lock()
	expected := b.info != nil
	b.mu.Unlock()
	if expected {
		r.await(ctx, t, cmp.Or(b.config.GreetTimeout, DefaultGreetTimeout))
	}
}

// recallTimeout is how long a continued session waits for an agent that will
// surely introduce itself.
const recallTimeout = 10 * time.Second

// awaitRecall waits for the introduction of the first child of a continued
// session, if there is saved state for it, or if the command's last introduction
// says that it can continue sessions. If the prompt came first, the child would
// know nothing about the session.
func (b *backend) awaitRecall(ctx context.Context, t *lifecycle.Turn) {
	b.mu.Lock()
	r, first := b.run, b.turnID == "" && b.info == nil
	b.mu.Unlock()
	memory := b.options.Memory()
	if r == nil || !first || !memory.Prompted {
		return
	}
	goesOn := len(memory.State) > 0
	if b.config.Memory != nil && !goesOn {
		known := b.config.Memory.Recall()
		goesOn = known != nil && (known.Resume || known.History)
	}
	if goesOn {
		r.await(ctx, t, max(recallTimeout, b.config.GreetTimeout))
	}
}

// await waits until the child has received its session.
func (r *run) await(ctx context.Context, t *lifecycle.Turn, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-r.greeted:
	case <-r.eof:
	case <-timer.C:
	case <-t.Cancelled():
	case <-ctx.Done():
	}
}

// goesOn reports whether the session has had a prompt.
func (b *backend) goesOn() bool {
	b.mu.Lock()
	prompted := b.turnID != ""
	b.mu.Unlock()
	return prompted || b.options.Memory().Prompted
}

// remember stores the agent's introduction for the next run of Turnwire. The last
// introduction replaces earlier ones.
func (b *backend) remember() {
	if b.config.Memory == nil || !b.config.Greets {
		return
	}
	b.mu.Lock()
	info, run := b.info, b.run
	b.mu.Unlock()
	switch {
	case info != nil:
		b.config.Memory.Remember(*introduction(info))
	case run != nil && run.prompted: // it has had the time to introduce itself
		b.config.Memory.Remember(Introduction{})
	}
}

// introduction returns what is remembered of an introduction.
func introduction(e *agent.Introduction) *Introduction {
	return &Introduction{Known: true, Name: e.Name, Version: e.Version, Takes: e.Takes(), Resume: e.Resume, History: e.History}
}

// forgets reports whether the child unexpectedly took the conversation with it.
// It is called when the child is gone.
func (r *run) forgets() bool {
	b := r.backend
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.config.Greets || !r.prompted || b.info != nil && (b.info.Resume || b.info.History) {
		return false
	}
	// An agent that exits cleanly after each turn is meant to do that.
	return r.killed.Load() || r.status.Code != 0 || r.status.Signal != ""
}

// forgotten returns the notice that another child replaces r.
func (r *run) forgotten() *agent.Notice {
	why := fmt.Sprintf("stopped (%s)", r.status)
	if r.killed.Load() {
		why = "did not end the previous turn"
	}
	return &agent.Notice{
		Severity: "warning",
		Message:  "The agent " + why + " and was restarted: it does not remember the conversation.",
	}
}
