//go:build unix

package process_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
	"github.com/turnwire/turnwire/internal/test/agenttest"
	"github.com/turnwire/turnwire/internal/test/limits"
)

const patience = limits.Patience

// These tests run real commands, because the package ends commands with their
// descendants, pipes and stderr. They wait for the command's output with
// [agenttest.Conversation], or with [limits.Eventually] for effects without output.
// Tests that only wait run in a synctest bubble; see silence_test.go.

// functions that the scripts of agents use.
const prelude = `
	say() { printf '{"type":"text_delta","text":"%s"}\n' "$*"; }
	end() { printf '{"type":"done","text":""}\n'; }
`

// scripted returns an agent run by a shell. It never counts as silent, however slow it
// is.
func scripted(script string) process.Config {
	return process.Config{Args: []string{"sh", "-c", prelude + script}, Dialect: native.Dialect, Silence: patience}
}

type conversation struct {
	*agenttest.Conversation
	backend *process.Backend
}

func open(t *testing.T, c process.Config) *conversation {
	t.Helper()
	return openIn(t, t.TempDir(), c)
}

func openIn(t *testing.T, cwd string, c process.Config) *conversation {
	t.Helper()
	s, b := process.Open(c, agent.Options{SessionID: "s1", Cwd: cwd})
	return &conversation{agenttest.Converse(t, s, brief), b}
}

func (c *conversation) prompt(turn string) {
	c.T.Helper()
	c.Send(agent.Prompt{SessionID: "s1", TurnID: turn, Text: "hello"})
}

func (c *conversation) steer(turn string) bool {
	c.T.Helper()
	return c.Session.(agent.Steerer).Steer(agent.Steer{SessionID: "s1", TurnID: turn, SteerID: "steer-1", Text: "no", Blocks: []agent.Content{}})
}

// until returns the agent's events up to and including the line last.
func (c *conversation) until(last string) []string {
	c.T.Helper()
	return c.Until(func(e agent.Event) bool { return brief(e) == last })
}

// failure receives events until the child's exit.
func (c *conversation) failure() *agent.Error {
	c.T.Helper()
	var failure *agent.Error
	c.Until(func(e agent.Event) bool {
		if e, ok := e.(*agent.Error); ok {
			copied := *e
			failure = &copied
		}
		return failure != nil
	})
	return failure
}

// rests receives until the end of an abandoned turn was seen, and requires that no
// event of the turn arrives.
func (c *conversation) rests() {
	c.T.Helper()
	for !c.backend.Rested() {
		b := c.Batch()
		for e := range b.Events() {
			require.Fail(c.T, "an abandoned turn is heard", "%s", brief(e))
		}
		b.Release()
	}
}

func brief(e agent.Event) string {
	switch e := e.(type) {
	case *agent.TextDelta:
		return e.Text.String()
	case *agent.Telemetry:
		return string(e.Data)
	case *agent.Error:
		return fmt.Sprintf("error %s %s", e.Code, e.TurnID)
	}
	return e.Type()
}
