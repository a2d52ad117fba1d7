package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// initialize calls "initialize". An agent that prints nothing may be one that prints
// events.
func (a *acp) initialize(ctx context.Context) (*answer, bool) {
	const method = "initialize"
	number := a.request(method, map[string]any{
		"protocolVersion": 1, "clientCapabilities": map[string]any{}, "clientInfo": map[string]any{"name": "turnwire check", "version": "1"},
	})
	a.until(ctx, min(silence, a.Timeout), func() bool { return a.answers[number] != nil })
	if a.count == 0 && a.Timeout > silence && ctx.Err() == nil && !a.isOver() {
		if f, ok := lint.Stderr(a.child.StderrTail()); ok && f.Rule == lint.OnStderr {
			a.Tell(f)
			return nil, false
		}
		f := lint.New(lint.Silent, "the agent printed nothing for 3 s after initialize; still waiting")
		f.Help = "Unless it is just slow: " + noEvents
		a.Tell(f)
	}
	got, ok := a.await(ctx, number)
	switch {
	case !ok && a.count == 0 && ctx.Err() == nil && !a.isOver():
		f := acpRule("acp-no-answer", method, fmt.Sprintf("the agent printed nothing for %s after initialize", a.Timeout))
		f.Help = "Answer each request. " + strings.ToUpper(noEvents[:1]) + noEvents[1:]
		a.Tell(f)
	case !ok:
		a.unanswered(ctx, method)
	case got.failed != nil:
		a.refused(method, got)
		return got, false
	}
	return got, ok
}

// noEvents is the advice about a silent command.
const noEvents = "if it prints events instead of speaking the Agent Client Protocol, remove --acp."
