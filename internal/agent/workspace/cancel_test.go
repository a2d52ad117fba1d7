package workspace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// cancelled cancels the running turn and receives its end.
func (c *client) cancelled(id string) said {
	c.t.Helper()
	c.session.Cancel(agent.Cancel{TurnID: id})
	s := c.rest()
	require.Equal(c.t, agent.StopCancelled, one[*agent.Done](c.t, s).StopReason)
	require.NotContains(c.t, s.text(), "All done")
	require.Contains(c.t, c.turn("/say alive").text(), "alive")
	return s
}

func TestCancelEndsAWait(t *testing.T) {
	c := open(t, nil)
	id := c.prompt("/wait 3600", "/say no")
	until[*agent.ToolStart](c)
	end := one[*agent.ToolEnd](t, c.cancelled(id))
	require.True(t, end.Cancelled)
	require.False(t, end.OK)
}

func TestCancelEndsAnOpenConfirmation(t *testing.T) {
	for _, line := range []string{"/write a x", "/run echo x > a"} {
		c := open(t, nil)
		id := c.prompt(line, "/say no")
		request := until[*agent.ConfirmationRequested](c)
		s := c.cancelled(id)
		require.Equal(t, agent.NotDecided, one[*agent.ConfirmationResolved](t, s).Decision)
		require.True(t, one[*agent.ToolEnd](t, s).Cancelled)
		c.session.Confirm(agent.ConfirmationResponse{ToolCallID: request.ToolCallID, Decision: agent.AllowOnce})
		require.Contains(t, c.turn("/say still here").text(), "still here")
		c.missing("a")
	}
}

func TestACancelBeatsASimultaneousPermission(t *testing.T) {
	c := open(t, nil)
	for range 50 {
		id := c.prompt("/write a x")
		request := until[*agent.ConfirmationRequested](c)
		c.session.Cancel(agent.Cancel{TurnID: id})
		c.session.Confirm(agent.ConfirmationResponse{ToolCallID: request.ToolCallID, Decision: agent.AllowAlways})
		require.Equal(t, agent.StopCancelled, one[*agent.Done](t, c.rest()).StopReason)
		c.missing("a")
	}
}

func TestACancelBeatsASimultaneousAnswer(t *testing.T) {
	c := open(t, nil)
	for range 50 {
		id := c.prompt("/ask Really? | yes | no")
		question := until[*agent.QuestionAsked](c)
		c.session.Cancel(agent.Cancel{TurnID: id})
		c.session.Answer(agent.QuestionResponse{QuestionID: question.QuestionID, Answer: "yes"})
		s := c.rest()
		require.Empty(t, one[*agent.QuestionAnswered](t, s).Answer)
		require.Equal(t, agent.StopCancelled, one[*agent.Done](t, s).StopReason)
	}
}

func TestCancelEndsAnOpenQuestion(t *testing.T) {
	c := open(t, nil)
	id := c.prompt("/ask Really? | yes | no", "/say no")
	until[*agent.QuestionAsked](c)
	require.True(t, one[*agent.QuestionAnswered](t, c.cancelled(id)).Cancelled)
}

func TestCancelEndsACallToTheEditor(t *testing.T) {
	e := &editor{read: true, hang: make(chan struct{})}
	c := open(t, nil, with(e))
	id := c.prompt("/read a")
	<-c.session.Events() // the title
	until[*agent.ToolStart](c)
	<-e.hang
	require.True(t, one[*agent.ToolEnd](t, c.cancelled(id)).Cancelled)
}

func TestCancelEndsATurnWithoutAReceiver(t *testing.T) {
	c := open(t, nil)
	id := c.prompt("/say a b c", "/say no", "/say no", "/wait 3600")
	until[*agent.MessageEnd](c)
	s := c.cancelled(id)
	require.LessOrEqual(t, len(all[*agent.MessageStart](s)), 1)
}

func TestCancelBeforeTheFirstEventEndsTheTurn(t *testing.T) {
	c := open(t, nil)
	id := c.prompt("/say a", "/wait 3600")
	require.Empty(t, all[*agent.TextDelta](c.cancelled(id)))
}

func TestACancelIsForItsTurnOnly(t *testing.T) {
	c := open(t, nil)
	id := c.prompt("/wait 3600")
	until[*agent.ToolStart](c)
	c.cancelled(id)
	c.prompt("/ask what?")
	until[*agent.QuestionAsked](c)
	c.session.Cancel(agent.Cancel{TurnID: id}) // repeated, late
	c.session.Answer(agent.QuestionResponse{QuestionID: "question_0"})
	c.session.Cancel(agent.Cancel{TurnID: "turn-3"})
	require.Equal(t, agent.StopCancelled, one[*agent.Done](t, c.rest()).StopReason)
}
