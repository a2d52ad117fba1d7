package acp_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/acp"
)

// patience ends tests that would hang. Nothing is measured with it.
const patience = 30 * time.Second

type conversation struct {
	t *testing.T
	agent.Session
	turns int
}

func standing(kind string) acp.Config {
	return acp.Config{Name: "teapot", Args: []string{os.Args[0]}, Env: append(os.Environ(), scriptVariable+"="+kind, "GORACE=atexit_sleep_ms=0")}
}

// open opens a session with the stand-in.
func open(t *testing.T, kind string) *conversation {
	t.Helper()
	return openWith(t, acp.New(standing(kind)), agent.Options{})
}

func openWith(t *testing.T, a agent.Agent, o agent.Options) *conversation {
	t.Helper()
	if o.Cwd == "" {
		o.Cwd = t.TempDir()
	}
	s, err := a.Open(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		require.NoError(t, s.Close(ctx))
	})
	return &conversation{t: t, Session: s}
}

func (c *conversation) turn() string { return fmt.Sprint("t", c.turns) }

func (c *conversation) prompt(text string) {
	c.t.Helper()
	c.promptWith(agent.Content{Type: "text", Text: text})
}

func (c *conversation) promptWith(blocks ...agent.Content) {
	c.t.Helper()
	c.turns++
	require.NoError(c.t, c.Prompt(agent.Prompt{SessionID: "s1", TurnID: c.turn(), Blocks: blocks}))
}

// until collects what the agent says up to what is wanted.
func (c *conversation) until(wanted func(agent.Event) bool) []string {
	c.t.Helper()
	var said []string
	for {
		var b agent.Batch
		var ok bool
		select {
		case b, ok = <-c.Events():
		case <-time.After(patience):
			require.Fail(c.t, "nothing more came", "behind %q", said)
		}
		require.True(c.t, ok, "the events end behind %q", said)
		found := false
		for e := range b.Events() {
			if line := brief(e); line != "" {
				said = append(said, line)
			}
			found = found || wanted(e)
		}
		b.Release()
		if found {
			return said
		}
	}
}

// ends collects the rest of the turn.
func (c *conversation) ends() []string {
	c.t.Helper()
	return c.until(func(e agent.Event) bool {
		switch e := e.(type) {
		case *agent.Done:
			return true
		case *agent.Error:
			return e.Fatal == nil
		}
		return false
	})
}

// asks waits for the next question or confirmation.
func (c *conversation) asks() []string {
	c.t.Helper()
	return c.until(func(e agent.Event) bool {
		switch e.(type) {
		case *agent.ConfirmationRequested, *agent.QuestionAsked:
			return true
		}
		return false
	})
}

func (c *conversation) says(text string) {
	c.t.Helper()
	c.until(func(e agent.Event) bool {
		d, ok := e.(*agent.TextDelta)
		return ok && d.Text.String() == text
	})
}

func (c *conversation) decide(d agent.Decision) {
	c.Confirm(agent.ConfirmationResponse{TurnID: c.turn(), ToolCallID: "c1", Decision: d})
}

func (c *conversation) confirm(id string, d agent.Decision) {
	c.Confirm(agent.ConfirmationResponse{TurnID: c.turn(), ConfirmationID: id, ToolCallID: "c1", Decision: d})
}

// brief is an event in a few words; the mode, which each session begins with,
// has none.
func brief(e agent.Event) string {
	switch e := e.(type) {
	case *agent.TextDelta:
		return e.Text.String()
	case *agent.Notice:
		return "notice " + e.Message
	case *agent.Error:
		return "error " + e.Code + " " + e.Error
	case *agent.Done:
		return "done " + string(e.StopReason)
	case *agent.ConfirmationRequested:
		var options []string
		for _, o := range e.Options {
			options = append(options, o.ID+":"+string(o.Kind))
		}
		return "confirm " + e.ToolCallID + fmt.Sprint(options)
	case *agent.QuestionAsked:
		return "question " + e.QuestionID + fmt.Sprint(e.Options)
	case *agent.SessionTitle:
		return "title " + e.Title
	case *agent.ModeChanged:
		return ""
	}
	return e.Type()
}
