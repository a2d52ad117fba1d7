package workspace

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func TestOpenAnnouncesTheCommandsFirst(t *testing.T) {
	c := openOnly(t, nil)
	c.prompt("/say hi")
	e, ok := c.next().(*agent.AvailableCommands)
	require.True(t, ok, "before anything of a turn")
	require.Empty(t, e.TurnID)
	require.Len(t, e.Commands, len(commands()))
	for _, command := range e.Commands {
		require.NotEmpty(t, command.Description)
		require.NotContains(t, command.Name, "/")
	}
	require.Contains(t, c.rest().text(), "hi")
}

func TestOpenRefusesARelativeDirectory(t *testing.T) {
	for _, o := range []agent.Options{{}, {Cwd: "here"}, {Cwd: t.TempDir(), Roots: []string{"there"}}} {
		_, err := New().Open(t.Context(), o)
		require.Error(t, err)
	}
}

func TestTheTitleComesOnceFromTheFirstPrompt(t *testing.T) {
	c := open(t, nil)
	first := one[*agent.SessionTitle](t, c.turn("", "/say a   title", "/say b"))
	require.Equal(t, "/say a title", first.Title)
	require.Empty(t, all[*agent.SessionTitle](c.turn("/say c")))
}

func TestATurnEndsWithASummaryAndDone(t *testing.T) {
	c := open(t, nil)
	s := c.turn("/say one", "/fail two", "/say three")
	require.Contains(t, s.text(), "All done: 3 steps, 1 failed.")
	require.Equal(t, agent.StopEndTurn, s[len(s)-1].(*agent.Done).StopReason)
	require.Contains(t, c.turn("/say one").text(), "All done: 1 step.")
}

func TestASecondPromptIsRefusedWhileATurnRuns(t *testing.T) {
	c := open(t, nil)
	c.prompt("/wait 3600")
	until[*agent.ToolStart](c)
	require.ErrorIs(t, c.session.Prompt(agent.Prompt{TurnID: "x", Text: "/say no"}), errBusy)
	c.session.Cancel(agent.Cancel{})
	require.Equal(t, agent.StopCancelled, one[*agent.Done](t, c.rest()).StopReason)
	require.Contains(t, c.turn("/say again").text(), "again")
}

func TestAPromptIsTakenAsSoonAsDoneIsReceived(t *testing.T) {
	c := open(t, nil)
	for range 200 {
		require.NotEmpty(t, c.turn("/say x"))
	}
}

func TestAnAbandonedTurnSendsNothingMore(t *testing.T) {
	stuck := &editor{read: true, hang: make(chan struct{})}
	c := open(t, nil, with(stuck))
	id := c.prompt("/read a.txt")
	until[*agent.ToolStart](c)
	<-stuck.hang
	c.session.Cancel(agent.Cancel{TurnID: id})
	c.session.Abandon(id)
	s := c.turn("/say the next turn") // rest checks the turn of every event
	require.Contains(t, s.text(), "the next turn")
	require.Empty(t, s.types())
}

func TestEventsReceivedBeforeAnAbandonAreVoidAfterIt(t *testing.T) {
	c := open(t, nil)
	id := c.prompt("/wait 3600")
	until[*agent.SessionTitle](c)
	batch := <-c.session.Events()
	c.session.Abandon(id)
	for e := range batch.Events() {
		require.Fail(t, "an event of an abandoned turn", e.Type())
	}
}

func TestAbandonOfAnotherTurnDoesNothing(t *testing.T) {
	c := open(t, nil)
	c.prompt("/say hi")
	c.session.Abandon("another")
	c.session.Cancel(agent.Cancel{TurnID: "another"})
	require.Equal(t, agent.StopEndTurn, one[*agent.Done](t, c.rest()).StopReason)
}

func TestCloseEndsATurnWithoutAReceiver(t *testing.T) {
	for _, prompt := range []string{"/say hi", "/wait 3600", "/ask what?", "/write a b", "/list"} {
		c := openOnly(t, nil)
		c.prompt(prompt)
		require.NoError(t, c.session.Close(t.Context()))
		_, ok := <-c.session.Events()
		require.False(t, ok)
		require.ErrorIs(t, c.session.Prompt(agent.Prompt{}), errClosed)
		require.NoError(t, c.session.Close(t.Context()), "closing again is harmless")
	}
}

func TestCloseReturnsWhenItsContextEnds(t *testing.T) {
	release := make(chan struct{})
	c := open(t, nil, func(o *agent.Options) { o.Editor = deaf{release} })
	c.prompt("/read a.txt")
	until[*agent.ToolStart](c)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, c.session.Close(ctx), context.Canceled)
	close(release)
}

// deaf is an editor that ignores contexts.
type deaf struct{ release chan struct{} }

func (deaf) CanRead() bool  { return true }
func (deaf) CanWrite() bool { return true }

func (d deaf) ReadTextFile(context.Context, string) (string, error) {
	<-d.release
	return "", nil
}

func (deaf) WriteTextFile(context.Context, string, string) error { return nil }

func TestSessionsDoNotShareAnything(t *testing.T) {
	a, b := open(t, nil), open(t, nil)
	a.decide, b.decide = always(agent.AllowAlways), always(agent.RejectOnce)
	a.prompt("/write x.txt from a", "/ask A?")
	b.prompt("/write x.txt from b", "/say hi")
	// Both turns are open. Their ids are the same, but each answer reaches its
	// session.
	request := until[*agent.ConfirmationRequested](b)
	require.Equal(t, request.ToolCallID, until[*agent.ConfirmationRequested](a).ToolCallID)
	b.session.Confirm(agent.ConfirmationResponse{ToolCallID: request.ToolCallID, Decision: agent.RejectOnce})
	require.Contains(t, b.rest().text(), "1 refused")
	a.reply = func(q *agent.QuestionAsked) agent.QuestionResponse {
		return agent.QuestionResponse{QuestionID: q.QuestionID, Answer: "yes"}
	}
	a.session.Confirm(agent.ConfirmationResponse{ToolCallID: request.ToolCallID, Decision: agent.AllowOnce})
	require.Contains(t, a.rest().text(), "You answered: yes")
	require.Equal(t, "from a", a.get("x.txt"))
	b.missing("x.txt")
}
