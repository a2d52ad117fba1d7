package chat_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/ethos/chat"
	"github.com/turnwire/turnwire/internal/agent/transport/requests"
)

const (
	start     = `{"type":"run_start","traceId":"one"}`
	hello     = `{"type":"text_delta","text":"hello"}`
	done      = `{"type":"done","text":"hello","turnCount":1,"traceId":"one"}`
	nothing   = `{"type":"done","text":"","turnCount":0}`
	handBack  = `{"type":"done","text":"The run has finished.","turnCount":0}`
	asks      = `{"type":"tool.approval_required","request":{"approvalId":"a1","sessionId":"s1","toolCallId":"c1"}}`
	asksOther = `{"type":"tool.approval_required","request":{"approvalId":"a2","sessionId":"s2","toolCallId":"c1"}}`
	asksBlank = `{"type":"tool.approval_required","request":{}}`
	question  = `{"type":"clarify.request","requestId":"q1"}`
	settled   = `{"type":"approval.resolved","approvalId":"a1"}`
	toolEnd   = `{"type":"tool_end","toolCallId":"c1"}`
	refused   = `{"type":"error","code":"BUDGET_EXCEEDED"}`
)

// play returns what a turn does with events. Events after its end are those of the next turn.
func play(t *testing.T, c *chat.Conversation, cancelled bool, events ...string) (did []string) {
	t.Helper()
	turn := c.Turn()
	for _, e := range events {
		s := turn.Add("", []byte(e), func() bool { return cancelled })
		for _, before := range s.Before {
			did = append(did, before.Type())
		}
		switch {
		case s.Refuse != nil:
			did = append(did, "refuse "+s.Refuse.ID)
		case s.RefuseAll:
			did = append(did, "refuse all")
		case s.Line != nil:
			did = append(did, "show")
		default:
			did = append(did, "drop")
		}
		if turn.Ended {
			did = append(did, "end")
			turn = c.Turn()
		}
	}
	return did
}

func TestATurnEndsWithItsOwnLastEvent(t *testing.T) {
	for name, c := range map[string]struct {
		events []string
		want   []string
	}{
		"done":                     {[]string{start, hello, done}, []string{"show", "show", "show", "end"}},
		"a background run":         {[]string{start, handBack, hello, done}, []string{"show", "message_end", "drop", "show", "show", "end"}},
		"no output":                {[]string{start, nothing}, []string{"show", "notice", "show", "end"}},
		"an error with a done":     {[]string{refused, nothing, start, hello, done}, []string{"show", "end", "drop", "show", "show", "show", "end"}},
		"events that are not JSON": {[]string{`x`, `{"type":7}`, `{"TYPE":"done"}`, done}, []string{"show", "show", "show", "show", "end"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, play(t, chat.New("s1", ""), false, c.events...))
		})
	}
}

func TestTheRestOfATurnThatWasCutOffIsNotShown(t *testing.T) {
	c := chat.New("s1", "")
	first := c.Turn()
	first.Add("1", []byte(start), func() bool { return false })
	first.Leave()
	require.Equal(t, []string{"drop", "drop", "refuse a1", "drop", "drop", "show", "show", "show", "end"},
		play(t, c, true, start, hello, asks, settled, done, `{"type":"run_start","traceId":"two"}`, hello, nothing))
}

func TestRequestsAreShownOnceAndOnlyByTheirConversation(t *testing.T) {
	c := chat.New("s1", "")
	require.Equal(t, []string{"show", "drop", "drop", "show", "show", "show"}, play(t, c, false, asks, asks, asksOther, asksBlank, question, settled))
	sent := 0
	require.NoError(t, c.Requests.RefuseAll(t.Context(), func(_ context.Context, a requests.Answer) error {
		sent++
		require.Equal(t, "q1", a.ID, "the approval is settled")
		return nil
	}))
	require.Equal(t, 1, sent)
	require.Equal(t, []string{"refuse all"}, play(t, c, true, `{"type":"clarify.request","requestId":"q2"}`))
}

func TestARequestIsRecordedBeforeTheCancelIsLookedFor(t *testing.T) {
	c := chat.New("s1", "")
	s := c.Turn().Add("", []byte(asks), func() bool {
		require.True(t, c.Requests.Knows(requests.Request{ID: "a1"}), "otherwise, a cancel could miss it")
		return false
	})
	require.NotNil(t, s.Line)
}

func TestUnreadAdviceIsReported(t *testing.T) {
	c := chat.New("s1", "")
	for _, end := range []string{done, refused} {
		c.Advise(true)
		require.Equal(t, []string{"show", "notice", "show", "end"}, play(t, c, false, hello, end))
		c.Restart()
		c.Advise(true)
		require.Equal(t, []string{"show", "show", "end"}, play(t, c, false, toolEnd, end))
		c.Restart()
	}
}

func TestARequestThatIsTooLongIsRecognised(t *testing.T) {
	c := chat.New("s1", "")
	q, ok := c.Unread([]byte(`{"type":"tool.approval_required","request":{"approvalId":"a1","args":{"x":"xxx`))
	require.True(t, ok)
	require.Equal(t, "a1", q.ID)
	q, ok = c.Unread([]byte(`{"type":"clarify.request","requestId":"q1","question":"xxx`))
	require.True(t, ok)
	require.Equal(t, requests.Request{ID: "q1", Question: true}, q)
	for _, head := range []string{`{"type":"clarify.request","requestId":"q1","question":"xxx`, `{"type":"text_delta","text":"xxx`, ``} {
		_, ok = c.Unread([]byte(head))
		require.False(t, ok, head)
	}
}

func TestAContinuedConversationKeepsItsPersonality(t *testing.T) {
	c := chat.New("s1", "asker")
	require.Equal(t, chat.Message{ClientID: "turnwire", Text: "hi", SessionID: "s1"}, c.Message(agent.Prompt{Text: "hi"}))
	require.Error(t, c.Choose(agent.SetOption{OptionID: agent.OptionMode, Value: agent.Chosen("maker")}))
	require.NotEmpty(t, c.Turn().After())
	c.Restart()
	require.Equal(t, "asker", c.Message(agent.Prompt{}).PersonalityID)
	require.NoError(t, c.Choose(agent.SetOption{OptionID: agent.OptionMode, Value: agent.Chosen("maker")}))
	require.Equal(t, "maker", c.Message(agent.Prompt{}).PersonalityID)
	require.Empty(t, c.Turn().After())
}
