package workspace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// withTerminals opens a session for an editor with terminals, and allows one
// command.
func withTerminals(t *testing.T, command string) (c *client, id string) {
	t.Helper()
	c = open(t, nil, func(o *agent.Options) { o.About.Terminal = true })
	id = c.prompt("/run " + command)
	request := until[*agent.ConfirmationRequested](c)
	c.session.Confirm(agent.ConfirmationResponse{ToolCallID: request.ToolCallID, Decision: agent.AllowOnce})
	return c, id
}

// awaitRequest receives the next request to the editor, which must be for the action.
func (c *client) awaitRequest(action agent.EditorAction) *agent.EditorRequested {
	c.t.Helper()
	e := until[*agent.EditorRequested](c)
	require.Equal(c.t, action, e.Action)
	return e
}

func (c *client) respond(e *agent.EditorRequested, r agent.EditorResponse) {
	r.RequestID = e.RequestID
	c.session.(agent.EditorUser).Respond(r)
}

// made receives the request for a terminal, and creates the terminal T.
func (c *client) made() {
	c.t.Helper()
	create := c.awaitRequest(agent.CreateTerminal)
	require.Equal(c.t, c.dir, create.Cwd)
	require.NotEmpty(c.t, create.Command)
	c.respond(create, agent.EditorResponse{OK: true, TerminalID: "T"})
	require.Equal(c.t, "T", until[*agent.ToolStart](c).TerminalID)
}

// ended receives the end of the call, and answers that the terminal is released.
func (c *client) ended() *agent.ToolEnd {
	c.t.Helper()
	end := until[*agent.ToolEnd](c)
	release := c.awaitRequest(agent.ReleaseTerminal)
	require.Equal(c.t, "T", release.TerminalID)
	c.respond(release, agent.EditorResponse{OK: true})
	c.rest()
	return end
}

func TestRunUsesATerminalOfTheEditor(t *testing.T) {
	zero, three := 0, 3
	for name, test := range map[string]struct {
		response agent.EditorResponse
		ok       bool
		why      string
	}{
		"success":     {agent.EditorResponse{OK: true, Exited: true, ExitCode: &zero}, true, ""},
		"failure":     {agent.EditorResponse{OK: true, Exited: true, ExitCode: &three}, false, "exit status 3"},
		"signal":      {agent.EditorResponse{OK: true, Exited: true, Signal: "SIGKILL"}, false, "signal: SIGKILL"},
		"not a word":  {agent.EditorResponse{OK: true, Exited: true}, false, "the editor did not report how the command ended"},
		"not waiting": {agent.EditorResponse{Error: "it is gone"}, false, "it is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := withTerminals(t, "make it")
			c.made()
			c.respond(c.awaitRequest(agent.WaitForTerminal), test.response)
			text := "made\n"
			c.respond(c.awaitRequest(agent.TerminalOutput), agent.EditorResponse{OK: true, Output: &text})
			end := c.ended()
			require.JSONEq(t, `{"output":"made\n"}`, string(end.Structured))
			require.Equal(t, test.ok, end.OK)
			require.Equal(t, test.why, end.Error)
			require.Equal(t, test.response.ExitCode, end.ExitCode)
		})
	}
}

func TestRunReportsAFailedTerminal(t *testing.T) {
	c, _ := withTerminals(t, "make it")
	c.respond(c.awaitRequest(agent.CreateTerminal), agent.EditorResponse{Error: "there is no room"})
	end := one[*agent.ToolEnd](t, c.rest())
	require.False(t, end.OK)
	require.Equal(t, "there is no room", end.Error)
}

func TestACancelKillsWhatRunsInTheTerminal(t *testing.T) {
	c, id := withTerminals(t, "sleep 3600")
	c.made()
	c.awaitRequest(agent.WaitForTerminal)
	c.session.Cancel(agent.Cancel{TurnID: id})
	kill := c.awaitRequest(agent.KillTerminal)
	require.Equal(t, "T", kill.TerminalID)
	c.respond(kill, agent.EditorResponse{OK: true})
	require.True(t, c.ended().Cancelled)
}

func TestACancelWhileTheTerminalIsMade(t *testing.T) {
	c, id := withTerminals(t, "sleep 3600")
	c.awaitRequest(agent.CreateTerminal)
	require.True(t, one[*agent.ToolEnd](t, c.cancelled(id)).Cancelled)
}

func TestCloseNeedsNoAnswerAboutATerminal(t *testing.T) {
	c, _ := withTerminals(t, "sleep 3600")
	c.made()
	c.awaitRequest(agent.WaitForTerminal)
	require.NoError(t, c.session.Close(t.Context()))
}
