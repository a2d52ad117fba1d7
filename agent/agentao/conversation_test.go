//go:build unix && external

package agentao_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/agentao"
)

// patience ends tests that would hang. Nothing is measured with it.
const patience = 60 * time.Second

// standIn runs the host with a package of the same interface as Agentao, which
// does what prompts say.
func standIn() agentao.Config {
	packages, err := filepath.Abs(filepath.Join("testdata", "python"))
	if err != nil {
		panic(err)
	}
	return agentao.Config{Env: environment("PYTHONPATH="+packages, "OPENAI_API_KEY=key")}
}

func environment(more ...string) []string {
	return append(os.Environ(), append([]string{"PYTHONDONTWRITEBYTECODE=1"}, more...)...)
}

// A conversation is a session with the real host, of which events are noted in
// brief.
type conversation struct {
	t *testing.T
	agent.Session
	dir    string
	turns  int
	last   string // the turn
	unread []string
	set    []string // the modes and models that were told, in brief
	// what the last confirmation offered, and why it was asked
	offered string
	closed  bool
	state   atomic.Pointer[agent.Memory] // what there is of the session
}

func open(t *testing.T, config agentao.Config) *conversation {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return openIn(t, config, dir, agent.Memory{})
}

func openIn(t *testing.T, config agentao.Config, dir string, m agent.Memory) *conversation {
	t.Helper()
	c := &conversation{t: t, dir: dir}
	c.state.Store(&m)
	s, err := agentao.New(config).Open(t.Context(), agent.Options{SessionID: "s1", Cwd: dir, Recall: func() agent.Memory { return *c.state.Load() }})
	require.NoError(t, err)
	c.Session = s
	t.Cleanup(c.close)
	return c
}

// key is that of the saved conversation, in JSON.
func (c *conversation) key() string { return string(c.state.Load().State) }

func (c *conversation) close() {
	if c.closed {
		return
	}
	c.closed = true
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- c.Close(ctx) }()
	for b := range c.Events() {
		b.Release()
	}
	require.NoError(c.t, <-ended)
}

func (c *conversation) prompt(text string) {
	c.t.Helper()
	c.turns++
	c.last = fmt.Sprintf("t%d", c.turns)
	require.NoError(c.t, c.Prompt(agent.Prompt{
		SessionID: "s1", TurnID: c.last, Cwd: c.dir, Text: text, Blocks: []agent.Content{{Type: "text", Text: text}},
	}))
}

// turn is all that is said to a prompt.
func (c *conversation) turn(text string) []string {
	c.t.Helper()
	c.prompt(text)
	return c.until("done", "error")
}

// until collects what is said up to what begins with one of the ends.
func (c *conversation) until(ends ...string) []string {
	c.t.Helper()
	var said []string
	for {
		for len(c.unread) > 0 {
			next := c.unread[0]
			c.unread = c.unread[1:]
			said = append(said, next)
			for _, end := range ends {
				if strings.HasPrefix(next, end) {
					return said
				}
			}
		}
		select {
		case b, ok := <-c.Events():
			require.True(c.t, ok, "the events end after %q", said)
			for e := range b.Events() {
				c.note(e)
				if line := brief(e); line != "" {
					c.unread = append(c.unread, line)
				}
			}
			b.Release()
		case <-time.After(patience):
			require.Fail(c.t, "no event came", "after %q", said)
		}
	}
}

// note notes what is set, and what a confirmation offers.
func (c *conversation) note(e agent.Event) {
	switch e := e.(type) {
	case *agent.ModeChanged:
		c.set = append(c.set, fmt.Sprintf("mode %s of %d", e.ModeID, len(e.Available)))
	case *agent.ModelChanged:
		c.set = append(c.set, fmt.Sprintf("model %s of %d", e.ModelID, len(e.Available)))
	case *agent.ConfirmationRequested:
		c.offered = fmt.Sprint(e.Decisions, " ", e.Reason)
	case *agent.State:
		c.state.Store(&agent.Memory{Prompted: true, State: slices.Clone(e.State)})
	}
}

func brief(e agent.Event) string {
	switch e := e.(type) {
	case *agent.TextDelta:
		return e.Text.String()
	case *agent.ToolStart:
		return "start " + e.ToolCallID + " " + e.ToolName
	case *agent.ToolEnd:
		if e.Cancelled {
			return "end " + e.ToolCallID + " refused"
		}
		return strings.TrimSpace(fmt.Sprintf("end %s %s %s %s", e.ToolCallID, map[bool]string{true: "ok", false: "failed"}[e.OK], e.Result, e.Error))
	case *agent.ConfirmationRequested:
		return fmt.Sprintf("confirm %s %s %s", e.ToolCallID, e.ToolName, e.Args)
	case *agent.QuestionAsked:
		return fmt.Sprintf("question %s %s %s", e.QuestionID, e.Question, strings.Join(e.Options, "|"))
	case *agent.Telemetry:
		if e.Name == "host.ready" {
			return ""
		}
		return fmt.Sprintf("telemetry %s %s", e.Name, e.Data)
	case *agent.Error:
		return "error " + e.Code + " " + e.Error
	case *agent.Done:
		return "done " + string(e.StopReason)
	case *agent.Notice:
		return "notice " + e.Message
	case *agent.OptionRefused:
		return "refused " + e.OptionID + " " + e.Error
	case *agent.RunStart, *agent.StepStart, *agent.ModeChanged, *agent.ModelChanged, *agent.Introduction, *agent.State:
		return ""
	}
	return e.Type()
}
