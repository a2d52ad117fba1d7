package ethos_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// patience ends tests that would hang. Nothing is measured with it.
const patience = 30 * time.Second

type conversation struct {
	t *testing.T
	agent.Session
}

func open(t *testing.T, a agent.Agent) *conversation {
	t.Helper()
	return reopen(t, a, agent.Memory{})
}

// reopen opens a session that goes on.
func reopen(t *testing.T, a agent.Agent, m agent.Memory) *conversation {
	t.Helper()
	s, err := a.Open(t.Context(), agent.Options{SessionID: "s1", Cwd: t.TempDir(), Recall: func() agent.Memory { return m }})
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		require.NoError(t, s.Close(ctx))
	})
	return &conversation{t, s}
}

// goesOn is what there is of a session whose conversation has a key.
func goesOn(key string) agent.Memory {
	return agent.Memory{Prompted: true, State: agent.KeyState(key).State}
}

// kept is the key that the agent tells.
func (c *conversation) kept() string {
	c.t.Helper()
	_, e := c.until("state")
	return agent.Memory{State: e.(*agent.State).State}.Key()
}

func (c *conversation) prompt(turn, text string) {
	c.t.Helper()
	require.NoError(c.t, c.Prompt(agent.Prompt{SessionID: "s1", TurnID: turn, Text: text}))
}

// until returns the text of what the agent says up to the first event of a type,
// and that event.
func (c *conversation) until(kind string) (text string, last agent.Event) {
	c.t.Helper()
	for last == nil {
		select {
		case b, ok := <-c.Events():
			require.True(c.t, ok, "the events end after %q", text)
			for e := range b.Events() {
				switch e := e.(type) {
				case *agent.TextDelta:
					text += e.Text.String()
				case *agent.Error:
					if kind == "done" {
						require.Fail(c.t, "a turn failed", e.Error)
					}
				case *agent.Done:
					require.Equal(c.t, "done", kind, "the turn has ended after %q", text)
				}
				if e.Type() == kind && last == nil {
					last = e
				}
			}
			b.Release()
		case <-time.After(patience):
			require.Fail(c.t, "nothing comes", "after %q", text)
		}
	}
	return text, last
}

func (c *conversation) done() (string, *agent.Done) {
	c.t.Helper()
	text, e := c.until("done")
	return text, e.(*agent.Done)
}

func (c *conversation) failure() *agent.Error {
	c.t.Helper()
	_, e := c.until("error")
	return e.(*agent.Error)
}

func (c *conversation) cancel(turn string) {
	c.Cancel(agent.Cancel{SessionID: "s1", TurnID: turn})
}
