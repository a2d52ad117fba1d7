package awaken_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/awaken"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/test/agenttest"
	"github.com/turnwire/turnwire/internal/test/limits"
)

// Lines for the scripts.
const (
	began    = `{"event_type":"run_start","thread_id":"th","run_id":"RUN"}`
	finished = `{"event_type":"run_finish","thread_id":"th","run_id":"RUN","termination":{"type":"natural_end"}}`
	paused   = `{"event_type":"run_finish","thread_id":"th","run_id":"RUN","termination":{"type":"suspended"}}`
	stopped  = `{"event_type":"run_finish","thread_id":"th","run_id":"RUN","termination":{"type":"cancelled"}}`
)

func textDelta(text string) string { return `{"event_type":"text_delta","delta":"` + text + `"}` }

func ready(id string) string {
	return `{"event_type":"tool_call_ready","id":"` + id + `","name":"deploy","arguments":{"to":"` + id + `"}}`
}

func suspends(id string) string {
	return `{"event_type":"tool_call_done","id":"` + id + `","message_id":"","result":{"tool_name":"deploy","status":"pending","data":null,"message":"waits","suspension":` +
		`{"suspension":{"id":"perm_` + id + `","action":"tool:PermissionConfirm","message":"May deploy run?","parameters":{"to":"` + id + `"}},` +
		`"pending":{"id":"perm_` + id + `","name":"permission_confirm","arguments":{}},"resume_mode":"replay_tool_call"}},"outcome":"suspended"}`
}

func resumes(id, result string) string {
	return `{"event_type":"tool_call_resumed","target_id":"` + id + `","result":` + result + `}`
}

// A conversation is a session with the stand-in's agent.
type conversation struct {
	*agenttest.Conversation
	lines chan string // the agent's events as they arrived
}

func open(t *testing.T, url string) *conversation {
	t.Helper()
	a := awaken.NewHurried(awaken.Config{Remote: httpsse.Config{BaseURL: url}, AgentID: "helper"}, time.Millisecond, limits.Patience)
	return openAgent(t, a)
}

func openAgent(t *testing.T, a agent.Agent) *conversation {
	t.Helper()
	return reopen(t, a, agent.Memory{})
}

// reopen opens a continued session.
func reopen(t *testing.T, a agent.Agent, m agent.Memory) *conversation {
	t.Helper()
	o := agent.Options{SessionID: "s", Cwd: "/", Recall: func() agent.Memory { return m }, Log: slog.New(slog.DiscardHandler)}
	c := &conversation{agenttest.Open(t, a, o, agenttest.JSON), make(chan string, 1<<12)}
	go c.listen()
	return c
}

func (c *conversation) prompt(turn string) {
	c.T.Helper()
	c.Send(agent.Prompt{TurnID: turn, Text: "do " + turn})
}

// listen receives the agent's events at any time, as the bridge does.
func (c *conversation) listen() {
	defer close(c.lines)
	for b := range c.Events() {
		for e := range b.Events() {
			c.lines <- c.Brief(e)
		}
		b.Release()
	}
}

// takeUntil returns the agent's events up to the first wanted one.
func (c *conversation) takeUntil(wanted func(line string) bool) []string {
	c.T.Helper()
	var got []string
	for line := range c.lines {
		if got = append(got, line); wanted(line) {
			return got
		}
	}
	require.Fail(c.T, "the events have ended", "after %q", got)
	return nil
}

// until returns the agent's events up to the first one that contains text.
func (c *conversation) until(text string) []string {
	c.T.Helper()
	return c.takeUntil(func(line string) bool { return strings.Contains(line, text) })
}

// untilEnd returns the rest of the turn.
func (c *conversation) untilEnd() []string {
	c.T.Helper()
	return c.takeUntil(func(line string) bool {
		return strings.HasPrefix(line, `{"type":"done"`) ||
			strings.HasPrefix(line, `{"type":"error"`) && !strings.Contains(line, `"fatal":false`)
	})
}

func (c *conversation) decide(id string, d agent.Decision) { c.Decide("", id, d) }

// count returns the number of lines that contain text.
func count(lines []string, text string) int {
	n := 0
	for _, line := range lines {
		n += strings.Count(line, text)
	}
	return n
}
