//go:build unix

package process_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	native "github.com/turnwire/turnwire/agent/native/wire"
	"github.com/turnwire/turnwire/agent/transport/process"
)

// patience ends tests that would hang. Nothing is measured with it.
const patience = 30 * time.Second

// functions that the scripts of agents use.
const prelude = `
	say() { printf '{"type":"text_delta","text":"%s"}\n' "$*"; }
	end() { printf '{"type":"done","text":""}\n'; }
`

func scripted(script string) process.Config {
	return process.Config{Args: []string{"sh", "-c", prelude + script}, Dialect: native.Dialect}
}

type conversation struct {
	t *testing.T
	agent.Session
	backend *process.Backend
}

func open(t *testing.T, c process.Config) *conversation {
	t.Helper()
	return openIn(t, t.TempDir(), c)
}

func openIn(t *testing.T, cwd string, c process.Config) *conversation {
	t.Helper()
	s, b := process.Open(c, agent.Options{SessionID: "s1", Cwd: cwd})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		require.NoError(t, s.Close(ctx))
	})
	return &conversation{t, s, b}
}

func (c *conversation) prompt(turn string) {
	c.t.Helper()
	require.NoError(c.t, c.Prompt(agent.Prompt{SessionID: "s1", TurnID: turn, Text: "hello"}))
}

// batch receives one batch; ok is false when the channel is closed.
func (c *conversation) batch() (b agent.Batch, ok bool) {
	c.t.Helper()
	select {
	case b, ok = <-c.Events():
		return b, ok
	case <-time.After(patience):
		require.Fail(c.t, "no event came")
		return nil, false
	}
}

// until collects what the agent says up to and including the line last.
func (c *conversation) until(last string) []string {
	c.t.Helper()
	var said []string
	for {
		b, ok := c.batch()
		require.True(c.t, ok, "the events end after %q", said)
		found := false
		for e := range b.Events() {
			line := brief(e)
			said = append(said, line)
			found = found || line == last
		}
		b.Release()
		if found {
			return said
		}
	}
}

// failure reads up to the end of the child.
func (c *conversation) failure() *agent.Error {
	c.t.Helper()
	for {
		b, ok := c.batch()
		require.True(c.t, ok)
		var failure *agent.Error
		for e := range b.Events() {
			if e, ok := e.(*agent.Error); ok {
				copied := *e
				failure = &copied
			}
		}
		b.Release()
		if failure != nil {
			return failure
		}
	}
}

// rests receives until the end of an abandoned turn was seen, of which nothing
// may be heard.
func (c *conversation) rests() {
	c.t.Helper()
	for !c.backend.Rested() {
		b, ok := c.batch()
		require.True(c.t, ok)
		for e := range b.Events() {
			require.Fail(c.t, "an abandoned turn is heard", "%s", brief(e))
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
