package ethos_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/test/agenttest"
	"github.com/turnwire/turnwire/internal/test/limits"
)

const patience = limits.Patience

type conversation struct{ *agenttest.Conversation }

func open(t *testing.T, a agent.Agent) *conversation {
	t.Helper()
	return reopen(t, a, agent.Memory{})
}

// reopen opens a continued session.
func reopen(t *testing.T, a agent.Agent, m agent.Memory) *conversation {
	t.Helper()
	o := agent.Options{SessionID: "s1", Cwd: t.TempDir(), Recall: func() agent.Memory { return m }}
	return &conversation{agenttest.Open(t, a, o, spoken)}
}

// goesOn returns the memory of a session whose conversation has a key.
func goesOn(key string) agent.Memory {
	return agent.Memory{Prompted: true, State: agent.KeyState(key).State}
}

// kept returns the key that the agent reports.
func (c *conversation) kept() string {
	c.T.Helper()
	_, e := c.until("state")
	return agent.Memory{State: e.(*agent.State).State}.Key()
}

func (c *conversation) prompt(turn, text string) {
	c.T.Helper()
	c.Send(agent.Prompt{SessionID: "s1", TurnID: turn, Text: text})
}

// spoken returns the text of an event, if it has one.
func spoken(e agent.Event) string {
	if e, ok := e.(*agent.TextDelta); ok {
		return e.Text.String()
	}
	return ""
}

// until returns the agent's text up to the first event of a type, and that
// event.
func (c *conversation) until(kind string) (text string, last agent.Event) {
	c.T.Helper()
	lines := c.Until(func(e agent.Event) bool {
		switch e := e.(type) {
		case *agent.Error:
			if kind == "done" {
				require.Fail(c.T, "a turn failed", e.Error)
			}
		case *agent.Done:
			require.Equal(c.T, "done", kind, "the turn has ended")
		}
		if e.Type() == kind && last == nil {
			last = e
		}
		return last != nil
	})
	return strings.Join(lines, ""), last
}

func (c *conversation) done() (string, *agent.Done) {
	c.T.Helper()
	text, e := c.until("done")
	return text, e.(*agent.Done)
}

func (c *conversation) failure() *agent.Error {
	c.T.Helper()
	_, e := c.until("error")
	return e.(*agent.Error)
}

func (c *conversation) cancel(turn string) {
	c.Cancel(agent.Cancel{SessionID: "s1", TurnID: turn})
}
