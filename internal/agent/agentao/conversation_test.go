//go:build unix && external

package agentao_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agentao"
	"github.com/turnwire/turnwire/internal/test/agenttest"
	"github.com/turnwire/turnwire/internal/test/limits"
)

const patience = limits.Patience

// standIn runs the host with a fake package that has Agentao's interface and
// follows the prompts' instructions.
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

// A conversation is a session with the real host. It records events in short
// form.
type conversation struct {
	*agenttest.Conversation
	dir    string
	turns  int
	unread []string
	set    []string // the reported modes and models, in short form
	// The offered decisions and the reason of the last confirmation.
	offered string
	state   atomic.Pointer[agent.Memory] // the session's memory
}

func open(t *testing.T, config agentao.Config) *conversation {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return openIn(t, config, dir, agent.Memory{})
}

func openIn(t *testing.T, config agentao.Config, dir string, m agent.Memory) *conversation {
	t.Helper()
	c := &conversation{dir: dir}
	c.state.Store(&m)
	c.open(t, config, agent.Options{SessionID: "s1", Cwd: dir, Recall: func() agent.Memory { return *c.state.Load() }})
	return c
}

// open opens the session. It records events as they arrive.
func (c *conversation) open(t *testing.T, config agentao.Config, o agent.Options) {
	t.Helper()
	c.Conversation = agenttest.Open(t, agentao.New(config), o, func(e agent.Event) string {
		c.note(e)
		return brief(e)
	})
}

// key returns the key of the saved conversation, as JSON.
func (c *conversation) key() string { return string(c.state.Load().State) }

func (c *conversation) prompt(text string) {
	c.T.Helper()
	c.turns++
	c.Send(agent.Prompt{
		SessionID: "s1", TurnID: fmt.Sprintf("t%d", c.turns), Cwd: c.dir, Text: text, Blocks: []agent.Content{{Type: "text", Text: text}},
	})
}

// turn returns the events of a whole turn.
func (c *conversation) turn(text string) []string {
	c.T.Helper()
	c.prompt(text)
	return c.until("done", "error")
}

// until returns the events up to the first one that starts with one of the
// ends.
func (c *conversation) until(ends ...string) []string {
	c.T.Helper()
	var events []string
	for {
		for len(c.unread) > 0 {
			next := c.unread[0]
			c.unread = c.unread[1:]
			events = append(events, next)
			for _, end := range ends {
				if strings.HasPrefix(next, end) {
					return events
				}
			}
		}
		c.unread = c.Until(func(agent.Event) bool { return true })
	}
}

// note records settings, and the offers of confirmations.
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
	case *agent.OptionRefused:
		return "refused " + e.OptionID + " " + e.Error
	case *agent.RunStart, *agent.StepStart, *agent.ModeChanged, *agent.ModelChanged, *agent.Introduction, *agent.State:
		return ""
	}
	return agenttest.Brief(e)
}
