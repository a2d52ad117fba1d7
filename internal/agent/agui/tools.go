package agui

import (
	"crypto/rand"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agui/wire"
	"github.com/turnwire/turnwire/internal/agent/tools"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// Tools implements [lifecycle.ToolUser].
func (b *backend) Tools() *tools.Box { return b.tools }

// offered returns the names of the offered tools.
func (b *backend) offered() (names []string) {
	for _, t := range b.config.Tools {
		names = append(names, t.Name)
	}
	return names
}

// introduce says, once in each life of the session, that a server gets to see the user's
// files.
func (b *backend) introduce(t *lifecycle.Turn) {
	if !b.announce {
		return
	}
	b.announce = false
	t.Emit(&agent.Notice{Severity: "info", Message: tools.Notice(b.config.Tools)})
}

// use runs the calls that a run has left to its client, in order. The next run carries
// their results.
func (b *backend) use(t *lifecycle.Turn, state *wire.State) {
	for _, c := range state.Left() {
		if t.IsCancelled() {
			return // the next prompt settles them
		}
		r := t.UseTool(c.ID, c.Tool, b.thread.Arguments(c.ID))
		if c.Tool == tools.AskUser || c.Tool == tools.UpdatePlan {
			// These show something else than the call, which the server has announced.
			t.Emit(&agent.ToolEnd{ToolCallID: c.ID, OK: r.OK, Cancelled: r.Refused || r.Cancelled, Result: agent.NewText(r.Text)})
		}
		if r.Cancelled {
			return
		}
		short, _ := r.Cut(0)
		b.thread.Answer(rand.Text(), c.ID, short.Text)
		state.Settle(c.ID)
		b.unsaved = true
	}
}
