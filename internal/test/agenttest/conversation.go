package agenttest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/test/limits"
)

// A Conversation is a session under test. Its methods fail the test if nothing arrives
// within [limits.Patience].
type Conversation struct {
	agent.Session
	T testing.TB
	// Turn is the turn id of the last [Conversation.Send].
	Turn string
	// Brief returns the line that the methods report for an event, or "" to omit the
	// event.
	Brief func(agent.Event) string

	session string // of the last Send
}

// Open opens a session and closes it when the test ends.
func Open(t testing.TB, a agent.Agent, o agent.Options, brief func(agent.Event) string) *Conversation {
	t.Helper()
	s, err := a.Open(t.Context(), o)
	require.NoError(t, err)
	return Converse(t, s, brief)
}

// Converse takes over a session, and closes it when the test ends.
func Converse(t testing.TB, s agent.Session, brief func(agent.Event) string) *Conversation {
	c := &Conversation{Session: s, T: t, Brief: brief}
	t.Cleanup(c.End)
	return c
}

// End closes the session and requires that no event follows. It may be called more than
// once.
func (c *Conversation) End() {
	c.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limits.Patience)
	defer cancel()
	require.NoError(c.T, c.Close(ctx))
	select {
	case b, ok := <-c.Events():
		if ok {
			for e := range b.Events() {
				require.Fail(c.T, "an event follows the end", "%s", c.Brief(e))
			}
			b.Release()
		}
	case <-ctx.Done():
		require.Fail(c.T, "the events do not end with the session")
	}
}

// Send starts a turn.
func (c *Conversation) Send(p agent.Prompt) {
	c.T.Helper()
	c.session, c.Turn = p.SessionID, p.TurnID
	require.NoError(c.T, c.Prompt(p))
}

// Stop cancels the last turn.
func (c *Conversation) Stop() {
	c.Cancel(agent.Cancel{SessionID: c.session, TurnID: c.Turn})
}

// Decide answers a confirmation of the last turn.
func (c *Conversation) Decide(confirmationID, toolCallID string, d agent.Decision) {
	c.Confirm(agent.ConfirmationResponse{
		SessionID: c.session, TurnID: c.Turn, ConfirmationID: confirmationID, ToolCallID: toolCallID, Decision: d,
	})
}

// Batch receives one batch, which the caller must release. The test fails if the event
// channel is closed.
func (c *Conversation) Batch() agent.Batch {
	c.T.Helper()
	return c.batch(nil)
}

// batch receives one batch. If none arrives, the failure message contains the lines.
func (c *Conversation) batch(lines []string) agent.Batch {
	c.T.Helper()
	limit := time.NewTimer(limits.Patience)
	defer limit.Stop()
	select {
	case b, ok := <-c.Events():
		require.True(c.T, ok, "the events end after %q", lines)
		return b
	case <-limit.C:
		require.Fail(c.T, "no event came", "after %q", lines)
		return nil
	}
}

// Until receives batches up to and including the one with the wanted event, and returns
// the lines of all events. It calls wanted once for each event.
func (c *Conversation) Until(wanted func(agent.Event) bool) (lines []string) {
	c.T.Helper()
	for found := false; !found; {
		b := c.batch(lines)
		for e := range b.Events() {
			if line := c.Brief(e); line != "" {
				lines = append(lines, line)
			}
			found = wanted(e) || found
		}
		b.Release()
	}
	return lines
}

// UntilEnd receives the rest of the turn, and requires that none of its events follows
// the end. It calls each see function for each event.
func (c *Conversation) UntilEnd(see ...func(agent.Event)) []string {
	c.T.Helper()
	ended := false
	return c.Until(func(e agent.Event) bool {
		for _, f := range see {
			f(e)
		}
		require.False(c.T, ended && e.Common().TurnID == c.Turn, "%s follows the end of its turn", e.Type())
		ended = ended || Ends(e)
		return ended
	})
}
