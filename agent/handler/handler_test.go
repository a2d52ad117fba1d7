package handler_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/handler"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

type conversation struct{ *agenttest.Conversation }

func open(t *testing.T, h handler.Handler) conversation {
	t.Helper()
	o := agent.Options{SessionID: "s1", Cwd: t.TempDir()}
	return conversation{agenttest.Open(t, handler.New(agent.Info{Name: "test"}, h), o, agenttest.JSON)}
}

// turn runs a turn, and returns the JSON of its events. It calls on for each
// event.
func (c conversation) turn(id string, on ...func(agent.Event)) []string {
	c.T.Helper()
	c.Send(agent.Prompt{SessionID: "s1", TurnID: id, Text: "hello"})
	return c.UntilEnd(on...)
}

func TestAHandlersOutputBecomesEvents(t *testing.T) {
	c := open(t, func(_ context.Context, t *handler.Turn) error {
		t.Think("well")
		t.Text("a \"b\"\n\xff" + t.Prompt.Text)
		return t.Emit(&agent.SessionTitle{Title: "A title"})
	})
	for _, id := range []string{"t1", "t2"} {
		require.Equal(t, []string{
			`{"type":"thinking_delta","thinking":"well"}`,
			`{"type":"text_delta","text":"a \"b\"\n` + "\ufffd" + `hello"}`,
			`{"type":"session_title","title":"A title"}`,
			`{"type":"done","text":""}`,
		}, c.turn(id))
	}
}

func TestAnErrorOrPanicFailsOnlyTheTurn(t *testing.T) {
	var handle handler.Handler
	c := open(t, func(ctx context.Context, t *handler.Turn) error { return handle(ctx, t) })
	handle = func(context.Context, *handler.Turn) error { return errors.New("no model") }
	require.Equal(t, []string{`{"type":"error","error":"no model","code":"agent_failed"}`}, c.turn("t1"))
	handle = func(_ context.Context, t *handler.Turn) error {
		return t.Call(handler.Tool{Name: "x"}, func(*handler.Call) error { panic("oh") })
	}
	require.Equal(t, []string{
		`{"type":"tool_start","toolCallId":"call_1","toolName":"x","args":null}`,
		`{"type":"tool_end","toolCallId":"call_1","toolName":"x","ok":false,"error":"the agent panicked"}`,
		`{"type":"error","error":"the agent panicked: oh","code":"agent_failed"}`,
	}, c.turn("t2"))
	handle = func(context.Context, *handler.Turn) error { return nil }
	require.Equal(t, []string{`{"type":"done","text":""}`}, c.turn("t3"))
}

func TestACallIsShownWhileItRuns(t *testing.T) {
	c := open(t, func(_ context.Context, t *handler.Turn) error {
		return t.Call(handler.Tool{Name: "bash", Args: map[string]string{"command": "make"}, View: agent.View{Title: "Build"}}, func(c *handler.Call) error {
			c.Output("one\n")
			c.Changed(agent.Diff{Path: "/a", NewText: "x"})
			c.Result("built")
			return c.Confirm("It is slow.")
		})
	})
	events := c.turn("t1", func(e agent.Event) {
		if e, ok := e.(*agent.ConfirmationRequested); ok {
			c.Confirm(agent.ConfirmationResponse{TurnID: "t1", ConfirmationID: e.ConfirmationID, ToolCallID: e.ToolCallID, Decision: agent.AllowOnce})
		}
	})
	require.Equal(t, []string{
		`{"type":"tool_start","toolCallId":"call_1","toolName":"bash","args":{"command":"make"},"title":"Build"}`,
		`{"type":"tool_output","toolCallId":"call_1","text":"one\n"}`,
		`{"type":"tool_confirmation_request","confirmationId":"confirmation_2","toolCallId":"call_1","toolName":"bash","args":{"command":"make"},"reason":"It is slow."}`,
		`{"type":"tool_end","toolCallId":"call_1","toolName":"bash","ok":true,"result":"built","diffs":[{"path":"/a","newText":"x"}]}`,
		`{"type":"done","text":""}`,
	}, events)
}

func TestACancelEndsPendingCallsAndPermitsNothing(t *testing.T) {
	for name, wait := range map[string]func(t *handler.Turn) error{
		"confirmation": func(t *handler.Turn) error {
			return t.Call(handler.Tool{Name: "x"}, func(c *handler.Call) error { return c.Confirm("") })
		},
		"question": func(t *handler.Turn) error { _, err := t.Choose("which?", "a", "b"); return err },
	} {
		t.Run(name, func(t *testing.T) {
			got := make(chan error, 1)
			c := open(t, func(ctx context.Context, t *handler.Turn) error {
				got <- wait(t)
				<-ctx.Done()
				return ctx.Err()
			})
			events := c.turn("t1", func(e agent.Event) {
				switch e := e.(type) {
				case *agent.ConfirmationRequested:
					c.Cancel(agent.Cancel{SessionID: "s1", TurnID: "t1"})
					c.Confirm(agent.ConfirmationResponse{TurnID: "t1", ConfirmationID: e.ConfirmationID, ToolCallID: e.ToolCallID, Decision: agent.AllowOnce})
				case *agent.QuestionAsked:
					c.Cancel(agent.Cancel{SessionID: "s1", TurnID: "t1"})
					c.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: e.QuestionID, Answer: "a"})
				}
			})
			require.ErrorIs(t, <-got, context.Canceled)
			require.Contains(t, events[len(events)-1], `"stopReason":"cancelled"`)
		})
	}
}

func TestQuestionsReturnAnAnswerOrErrNoAnswer(t *testing.T) {
	c := open(t, func(_ context.Context, t *handler.Turn) error {
		answer, err := t.Choose("which?", "a", "b")
		if errors.Is(err, handler.ErrNoAnswer) {
			answer = "nothing"
		} else if err != nil {
			return err
		}
		t.Text(answer)
		return nil
	})
	answer := func(r agent.QuestionResponse) []string {
		return c.turn("t1", func(e agent.Event) {
			if e, ok := e.(*agent.QuestionAsked); ok {
				r.TurnID, r.QuestionID = "t1", e.QuestionID
				c.Answer(r)
				c.Answer(r) // a second answer is too late
			}
		})
	}
	require.Equal(t, `{"type":"text_delta","text":"b"}`, answer(agent.QuestionResponse{Answer: "b"})[1])
	require.Equal(t, `{"type":"text_delta","text":"nothing"}`, answer(agent.QuestionResponse{Cancelled: true})[1])
}

func TestInvalidEventsAreNotEmitted(t *testing.T) {
	no := false
	for _, e := range []agent.Event{
		&agent.ToolStart{ToolCallID: "c", ToolName: "x", Args: agent.Raw(`{"a":`)},
		&agent.StateSnapshot{Snapshot: agent.Raw("}")},
		&agent.TextDelta{Text: agent.NewText("x"), Base: agent.Base{Extra: []byte(`"a":1},{`)}},
		&agent.Unknown{Raw: agent.Raw("nonsense")},
		&agent.Done{},
		&agent.Error{Error: "x"},
	} {
		c := open(t, func(_ context.Context, t *handler.Turn) error { return t.Emit(e) })
		events := c.turn("t1")
		require.Len(t, events, 1, "%T", e)
		require.Contains(t, events[0], `{"type":"error","error":"`)
	}
	c := open(t, func(_ context.Context, t *handler.Turn) error {
		return t.Emit(&agent.Error{Error: "x", Fatal: &no})
	})
	c.Send(agent.Prompt{SessionID: "s1", TurnID: "t1"})
	require.Equal(t, []string{`{"type":"error","error":"x","fatal":false}`}, c.Until(func(agent.Event) bool { return true }))
}

func TestTurnsAllowConcurrentUseUntilTheyEnd(t *testing.T) {
	var saved *handler.Turn
	c := open(t, func(_ context.Context, t *handler.Turn) error {
		saved = t
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 50 {
					t.Text("x")
				}
			})
		}
		all.Wait()
		return nil
	})
	events := c.turn("t1")
	require.Len(t, events, 401)
	require.Equal(t, strings.Repeat(`{"type":"text_delta","text":"x"}`, 400), strings.Join(events[:400], ""))
	require.ErrorContains(t, saved.Emit(&agent.SessionTitle{Title: "late"}), "the turn is over")
	_, err := saved.Choose("late?")
	require.Error(t, err)
}
