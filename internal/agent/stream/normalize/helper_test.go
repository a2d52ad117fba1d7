package normalize_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
)

// watched is a normalizer whose steps are checked against the package's
// contract and recorded in short form.
type watched struct {
	t          *testing.T
	normalizer *normalize.Normalizer
	check      *checker
	turns      int
	steps      []string
	options    []agent.Option // as yielded last
}

func watch(t *testing.T) *watched {
	t.Helper()
	return &watched{t: t, normalizer: normalize.New("/work", toolview.Common), check: newChecker(t)}
}

// turn returns a watched normalizer in its first turn, t1.
func turn(t *testing.T) *watched {
	t.Helper()
	w := watch(t)
	w.begin()
	return w
}

func (w *watched) begin() {
	w.turns++
	w.check.begin()
	w.normalizer.Begin(fmt.Sprintf("t%d", w.turns))
}

// add decodes native lines and adds their events. A line without "{" is a
// shorthand for text.
func (w *watched) add(lines ...string) *watched {
	w.t.Helper()
	for _, line := range lines {
		if !strings.Contains(line, "{") {
			line = `{"type":"text_delta","text":"` + line + `"}`
		}
		require.NoError(w.t, native.Dialect.NewDecoder().Decode([]byte(line), w.event), "%s", line)
	}
	return w
}

func (w *watched) event(e agent.Event) bool {
	w.t.Helper()
	w.check.before(e)
	w.normalizer.Add(e, w.step)
	w.check.after(w.normalizer)
	return true
}

func (w *watched) step(s normalize.Step) {
	w.t.Helper()
	w.check.step(s)
	w.steps = append(w.steps, brief(s))
	if s.Options != nil {
		requireLawful(w.t, s.Options)
		w.options = s.Options
	}
}

func (w *watched) flush() *watched {
	w.t.Helper()
	w.check.before(nil)
	w.normalizer.Flush(w.step)
	require.False(w.t, w.normalizer.Waiting(), "nothing waits behind a flush")
	return w
}

func (w *watched) cancel() *watched {
	w.t.Helper()
	w.check.before(nil)
	w.normalizer.Cancel(w.step)
	w.check.after(w.normalizer)
	return w
}

func (w *watched) fail(e *agent.Error) *watched {
	w.t.Helper()
	w.check.before(nil)
	w.normalizer.Fail(e, w.step)
	w.check.after(w.normalizer)
	return w
}

// yields compares the steps since the last call.
func (w *watched) yields(want ...string) {
	w.t.Helper()
	steps := w.steps
	w.steps = nil
	require.Equal(w.t, strings.Join(want, "\n"), strings.Join(steps, "\n"))
}

// text returns the messages yielded since the last call.
func (w *watched) text() string {
	var b strings.Builder
	for _, s := range w.steps {
		if _, rest, ok := strings.Cut(s, "text "); ok && strings.HasPrefix(s, "text ") {
			_, body, _ := strings.Cut(rest, " ")
			b.WriteString(body)
		}
	}
	w.steps = nil
	return b.String()
}

// brief returns a step in short form: the event, its call, and what a mapper
// needs.
func brief(s normalize.Step) string {
	out := s.Event.Type()
	switch e := s.Event.(type) {
	case *agent.TextDelta:
		out = "text " + e.MessageID + " " + e.Text.String()
	case *agent.ThinkingDelta:
		out = "thought " + e.MessageID + " " + e.Thinking.String()
	case *agent.ContentBlock:
		out += " " + e.MessageID
	case *agent.ToolOutput:
		out += " " + e.Text.String()
	case *agent.ToolProgress:
		out += " " + e.Message
	case *agent.ToolEnd:
		out += " " + e.Result.String() + e.Error
	case *agent.SubagentEnd:
		out += " " + e.Result + e.Error
	case *agent.Notice:
		out += " " + e.Severity + " " + e.Message
	case *agent.QuestionAsked:
		out += " " + e.ToolCallID
	case *agent.Error:
		out += " " + e.Error
	case *agent.Done:
		out += " " + string(e.StopReason)
	case *agent.Unknown:
		out = "unknown " + e.Name
	}
	if tool := s.Tool; tool != nil {
		out += fmt.Sprintf(" [%s %s %s", tool.ID, tool.Name, [...]string{"pending", "running", "completed", "failed"}[tool.Status])
		if tool.Cancelled {
			out += " cancelled"
		}
		if tool.Parent != "" {
			out += " of " + tool.Parent
		}
		if tool.Args != nil {
			out += " " + string(tool.Args)
		}
		out += "]"
	}
	if s.First {
		out += " first"
	}
	if !s.Output.IsZero() {
		out += fmt.Sprintf(" output %q", s.Output.String())
	}
	if s.Usage != nil {
		out += fmt.Sprintf(" %d/%d $%g", s.Usage.Used, s.Usage.Size, s.Usage.Cost)
	}
	if s.End {
		out += " end"
	}
	return strings.Join(strings.Fields(out), " ")
}
