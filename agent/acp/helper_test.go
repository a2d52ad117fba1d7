package acp_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/acp"
	"github.com/turnwire/turnwire/test/agenttest"
)

type conversation struct {
	*agenttest.Conversation
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
	return &conversation{Conversation: agenttest.Open(t, a, o, brief)}
}

func (c *conversation) prompt(text string) {
	c.T.Helper()
	c.promptWith(agent.Content{Type: "text", Text: text})
}

func (c *conversation) promptWith(blocks ...agent.Content) {
	c.T.Helper()
	c.turns++
	c.Send(agent.Prompt{SessionID: "s1", TurnID: fmt.Sprint("t", c.turns), Blocks: blocks})
}

// asks waits for the next question or confirmation.
func (c *conversation) asks() []string {
	c.T.Helper()
	return c.Until(agenttest.Asks)
}

func (c *conversation) says(text string) {
	c.T.Helper()
	c.Until(func(e agent.Event) bool {
		d, ok := e.(*agent.TextDelta)
		return ok && d.Text.String() == text
	})
}

func (c *conversation) decide(d agent.Decision) { c.Decide("", "c1", d) }

func (c *conversation) confirm(id string, d agent.Decision) { c.Decide(id, "c1", d) }

// brief is an event in a few words; the mode, which each session begins with,
// has none.
func brief(e agent.Event) string {
	switch e := e.(type) {
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
	return agenttest.Brief(e)
}
