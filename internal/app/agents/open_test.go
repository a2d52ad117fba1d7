//go:build unix

package agents_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/app/agents"
)

// ends runs a turn of the agent that r requests, and returns its last event.
func ends(t *testing.T, c *agents.Catalogue, r agents.Request) agent.Event {
	t.Helper()
	choice, err := c.Open(r)
	require.NoError(t, err)
	s, err := choice.Agent.Open(t.Context(), agent.Options{Cwd: t.TempDir()})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close(context.Background())) }()
	require.NoError(t, s.Prompt(agent.Prompt{SessionID: "s", TurnID: "t", Text: "go"}))
	for b := range s.Events() {
		var last agent.Event
		for e := range b.Events() {
			switch e := e.(type) {
			case *agent.Done:
				last = &agent.Done{StopReason: e.StopReason}
			case *agent.Error:
				last = &agent.Error{Error: e.Error}
			}
		}
		b.Release()
		if last != nil {
			return last
		}
	}
	require.Fail(t, "the events ended")
	return nil
}

func TestACommandIsRelativeToTheWorkingDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	program(t, "typed", `read prompt; echo '{"type":"done","text":"typed"}'; read end`)
	c := catalogue(t, `"x": {"type": "process", "command": "./configured"}`)
	done := ends(t, c, agents.Request{Name: "x", Command: []string{"." + string(filepath.Separator) + "typed"}})
	require.IsType(t, &agent.Done{}, done)
}

func TestHeaderFlagsReplaceConfiguredHeaders(t *testing.T) {
	seen := make(chan []string, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header.Values("X-Key")
		http.NotFound(w, r)
	}))
	defer server.Close()
	c := catalogue(t, `"x": {"type": "agentb", "url": "`+server.URL+`", "headers": {"x-key": "configured"}}`)
	require.IsType(t, &agent.Error{}, ends(t, c, agents.Request{Name: "x", Headers: []string{"X-Key: typed"}}))
	require.Equal(t, []string{"typed"}, <-seen)
}
