package ahp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// The state here must equal the clients' state after an action, even one that this host
// does not send.

func TestAWaitingSessionNeedsInput(t *testing.T) {
	s := &ahp.Session{Status: ahp.InProgress | ahp.IsRead}
	s.Apply(&ahp.InputNeededSet{Request: ahp.NeededInput{ID: "a"}})
	s.Apply(&ahp.InputNeededSet{Request: ahp.NeededInput{ID: "b"}})
	require.Equal(t, ahp.InputNeeded|ahp.IsRead, s.Status)
	s.Apply(&ahp.InputNeededRemoved{ID: "a"})
	s.Apply(&ahp.InputNeededRemoved{ID: "other"})
	require.Equal(t, ahp.InputNeeded|ahp.IsRead, s.Status)
	s.Apply(&ahp.InputNeededRemoved{ID: "b"})
	require.Equal(t, ahp.InProgress|ahp.IsRead, s.Status)
}

// waiting returns a chat with a call that waits for a confirmation.
func waiting() *ahp.Chat {
	c := &ahp.Chat{}
	c.Apply(&ahp.TurnStarted{TurnID: "t"}, "")
	c.Apply(&ahp.ToolCallStart{TurnID: "t", ToolCallID: "c"}, "")
	c.Apply(&ahp.ToolCallReady{TurnID: "t", ToolCallID: "c", ToolInput: "rm x", ConfirmationTitle: "Run it?", Options: []ahp.Option{{ID: "no"}}}, "")
	return c
}

func TestARepeatedReadyKeepsOmittedMembers(t *testing.T) {
	c := waiting()
	c.Apply(&ahp.ToolCallReady{TurnID: "t", ToolCallID: "c", InvocationMessage: ahp.Plain("More")}, "")
	call := c.Call("c")
	require.Equal(t, ahp.Plain("More"), call.InvocationMessage)
	require.Equal(t, "rm x", call.ToolInput)
	require.Equal(t, "Run it?", call.ConfirmationTitle)
	require.Equal(t, []ahp.Option{{ID: "no"}}, call.Options)
}

func TestAnAnswerKeepsTheUsersEditAndReason(t *testing.T) {
	c := waiting()
	c.Apply(&ahp.ToolCallConfirmed{TurnID: "t", ToolCallID: "c", Approved: true, EditedToolInput: "rm y"}, "")
	require.Equal(t, "rm y", c.Call("c").ToolInput)
	c = waiting()
	c.Apply(&ahp.ToolCallConfirmed{TurnID: "t", ToolCallID: "c", Reason: ahp.ReasonDenied, ReasonMessage: "Too dangerous"}, "")
	require.Equal(t, "Too dangerous", c.Call("c").ReasonMessage)
}

func TestAChatHasOneSteeringMessage(t *testing.T) {
	c := &ahp.Chat{}
	set := func(kind, id string) { c.Apply(&ahp.PendingMessageSet{Kind: kind, ID: id}, "") }
	set(ahp.PendingSteering, "a")
	require.Empty(t, c.QueuedMessages)
	set(ahp.PendingQueued, "a")
	require.Len(t, c.QueuedMessages, 1)
	c.Apply(&ahp.PendingMessageRemoved{Kind: ahp.PendingQueued, ID: "a"}, "")
	require.Equal(t, "a", c.SteeringMessage.ID)
	set(ahp.PendingSteering, "b")
	c.Apply(&ahp.PendingMessageRemoved{Kind: ahp.PendingSteering, ID: "a"}, "")
	require.Equal(t, "b", c.SteeringMessage.ID)
	c.Apply(&ahp.TurnStarted{TurnID: "t"}, "")
	require.Equal(t, "b", c.SteeringMessage.ID)
	c.Apply(&ahp.TurnStarted{TurnID: "u", QueuedMessageID: "b"}, "")
	require.Nil(t, c.SteeringMessage)
	set(ahp.PendingSteering, "c")
	c.Apply(&ahp.PendingMessageRemoved{Kind: ahp.PendingSteering, ID: "c"}, "")
	require.Nil(t, c.SteeringMessage)
}

func TestFailedTurnEndsWithItsErrorPart(t *testing.T) {
	c := &ahp.Chat{}
	c.Apply(&ahp.TurnStarted{TurnID: "t"}, "")
	failed := &ahp.TurnFailed{TurnID: "t", Duration: 7, Part: ahp.Part{Kind: ahp.PartError, Error: &ahp.ErrorInfo{ErrorType: "agent", Message: "it broke"}}}
	require.JSONEq(t,
		`{"type":"chat/error","turnId":"t","duration":7,"part":{"kind":"error","error":{"errorType":"agent","message":"it broke"}}}`,
		string(ahp.Encode(failed)))
	c.Apply(failed, "")
	require.Nil(t, c.ActiveTurn)
	require.Equal(t, ahp.Failed, c.Status)
	require.Equal(t, []ahp.Part{failed.Part}, c.Turns[0].ResponseParts)
}

func TestTruncationDropsLaterTurns(t *testing.T) {
	last := func(id string) *ahp.Truncated { return &ahp.Truncated{TurnID: &id} }
	for _, c := range []struct {
		action *ahp.Truncated
		left   []string
		cursor string
	}{{last("a"), []string{"a"}, "before-1"}, {last("b"), []string{"a", "b"}, "before-1"}, {last("other"), []string{"a", "b"}, "before-1"}, {&ahp.Truncated{}, []string{}, ""}} {
		chat := &ahp.Chat{Turns: []ahp.Turn{{ID: "a"}, {ID: "b"}}, TurnsNextCursor: "before-1", ActiveTurn: &ahp.Turn{ID: "c"}, Status: ahp.InProgress}
		chat.Apply(c.action, "now")
		left := []string{}
		for _, t := range chat.Turns {
			left = append(left, t.ID)
		}
		require.Equal(t, c.left, left)
		require.Equal(t, c.cursor, chat.TurnsNextCursor)
		require.Equal(t, c.action.TurnID != nil && *c.action.TurnID == "other", chat.ActiveTurn != nil)
	}
}
