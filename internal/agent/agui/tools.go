package agui

import (
	"crypto/rand"

	"github.com/turnwire/turnwire/internal/agent/tools"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// Tools implements [lifecycle.ToolUser].
func (b *backend) Tools() *tools.Box { return b.tools }

// use runs the calls that a run has left to its client, in order. The next run carries
// their results.
func (b *backend) use(t *lifecycle.Turn) {
	for _, c := range b.state.Left() {
		if t.IsCancelled() {
			return // the next prompt settles them
		}
		r := t.UseTool(c.ID, c.Tool, b.thread.Arguments(c.ID))
		if r.Cancelled {
			return
		}
		short, _ := r.Cut(0)
		b.thread.Answer(rand.Text(), c.ID, short.Text)
		b.state.Settle(c.ID)
		b.unsaved = true
	}
}
