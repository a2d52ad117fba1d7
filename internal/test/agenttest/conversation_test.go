package agenttest_test

import (
	"context"
	"iter"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/test/agenttest"
	"github.com/turnwire/turnwire/internal/test/failing"
)

type batch []agent.Event

func (b batch) Events() iter.Seq[agent.Event] { return slices.Values(b) }
func (b batch) Release()                      {}

// A session sends fixed batches, whatever it receives.
type session struct {
	agent.Session
	events   chan agent.Batch
	commands []any
}

func scripted(batches ...batch) *session {
	s := &session{events: make(chan agent.Batch, len(batches))}
	for _, b := range batches {
		s.events <- b
	}
	close(s.events)
	return s
}

func (s *session) Events() <-chan agent.Batch           { return s.events }
func (s *session) Prompt(p agent.Prompt) error          { s.commands = append(s.commands, p); return nil }
func (s *session) Cancel(c agent.Cancel)                { s.commands = append(s.commands, c) }
func (s *session) Confirm(r agent.ConfirmationResponse) { s.commands = append(s.commands, r) }
func (s *session) Close(context.Context) error          { return nil }

func in(turn string) agent.Base { return agent.Base{TurnID: turn} }

func text(turn, text string) *agent.TextDelta {
	return &agent.TextDelta{Text: agent.NewText(text), Base: in(turn)}
}

// converse starts the turn t.
func converse(t testing.TB, s *session) *agenttest.Conversation {
	t.Helper()
	c := &agenttest.Conversation{Session: s, T: t, Brief: agenttest.Brief}
	c.Send(agent.Prompt{SessionID: "s", TurnID: "t"})
	return c
}

func TestAConversationNamesItsTurn(t *testing.T) {
	s := scripted(batch{text("t", "a")}, batch{&agent.ConfirmationRequested{}, text("t", "b")}, batch{&agent.Done{Base: in("t")}, text("", "c")})
	c := converse(t, s)
	require.Equal(t, []string{"a", "tool_confirmation_request", "b"}, c.Until(agenttest.Asks))
	c.Decide("1", "2", agent.AllowOnce)
	c.Stop()
	require.Equal(t, []string{"done ", "c"}, c.UntilEnd())
	c.End()
	require.Equal(t, []any{
		agent.Prompt{SessionID: "s", TurnID: "t"},
		agent.ConfirmationResponse{SessionID: "s", TurnID: "t", ConfirmationID: "1", ToolCallID: "2", Decision: agent.AllowOnce},
		agent.Cancel{SessionID: "s", TurnID: "t"},
	}, s.commands)
}

func TestNoEventMayFollowTheEnd(t *testing.T) {
	end := &agent.Done{Base: in("t")}
	require.True(t, failing.Fails(t, func(t testing.TB) { converse(t, scripted(batch{end, text("t", "late")})).UntilEnd() }))
	require.True(t, failing.Fails(t, func(t testing.TB) { converse(t, scripted(batch{text("t", "no end")})).UntilEnd() }))
	require.True(t, failing.Fails(t, func(t testing.TB) { converse(t, scripted(batch{text("", "late")})).End() }))
}

func TestAnErrorEndsATurnIfItIsFatal(t *testing.T) {
	no, yes := false, true
	require.True(t, agenttest.Ends(&agent.Error{}))
	require.True(t, agenttest.Ends(&agent.Error{Fatal: &yes}))
	require.False(t, agenttest.Ends(&agent.Error{Fatal: &no}))
}
