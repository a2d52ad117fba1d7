package lifecycle_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/agent"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a backend made of functions; nil ones do nothing.
type fake struct {
	turn    func(ctx context.Context, t *lifecycle.Turn) error
	confirm func(r agent.ConfirmationResponse) error
	answer  func(r agent.QuestionResponse) error
	cancel  func(ctx context.Context, turnID string) error
	closed  chan struct{}
}

func (f *fake) Turn(ctx context.Context, t *lifecycle.Turn) error { return f.turn(ctx, t) }

func (f *fake) Confirm(_ context.Context, r agent.ConfirmationResponse) error {
	if f.confirm == nil {
		return nil
	}
	return f.confirm(r)
}

func (f *fake) Answer(_ context.Context, r agent.QuestionResponse) error {
	if f.answer == nil {
		return nil
	}
	return f.answer(r)
}

func (f *fake) Cancel(ctx context.Context, turnID string) error {
	if f.cancel == nil {
		return nil
	}
	return f.cancel(ctx, turnID)
}

func (f *fake) Close(context.Context) error {
	close(f.closed)
	return nil
}

func open(t *testing.T, f *fake) agent.Session {
	t.Helper()
	f.closed = make(chan struct{})
	s := lifecycle.NewSession(f, agent.Options{Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() {
		require.NoError(t, s.Close(context.Background()))
		<-f.closed
	})
	return s
}

func prompt(t *testing.T, s agent.Session, turnID string) {
	t.Helper()
	require.NoError(t, s.Prompt(agent.Prompt{TurnID: turnID, Text: "go"}))
}

// receive returns the next n events as JSON.
func receive(t *testing.T, s agent.Session, n int) []string {
	t.Helper()
	var got []string
	for len(got) < n {
		b, ok := <-s.Events()
		require.True(t, ok, "the events have ended behind %q", got)
		for e := range b.Events() {
			got = append(got, string(agent.AppendJSON(nil, e)))
		}
		b.Release()
	}
	return got
}

func text(s string) agent.Event { return &agent.TextDelta{Text: agent.NewText(s)} }

func done() agent.Event { return &agent.Done{} }

func TestATurnsEventsComeInOrderWithItsID(t *testing.T) {
	s := open(t, &fake{turn: func(_ context.Context, t *lifecycle.Turn) error {
		t.Emit(text("a"))
		d := native.Dialect.NewDecoder()
		t.Decode(d, []byte(`{"type":"text_delta",`+"\n"+`"text":"b","turnId":"other"}`))
		t.Decode(d, []byte("no event"))
		if err := t.Pump(strings.NewReader(`{"type":"text_delta","text":"c"}`+"\n"+`{"type":"text_delta","text":"d"}`), d); err != nil {
			return err
		}
		t.Emit(done())
		return errors.New("what fails behind the end is of no interest")
	}})
	for _, id := range []string{"t1", "t2"} {
		prompt(t, s, id)
		require.Equal(t, []string{
			`{"type":"text_delta","text":"a","turnId":"` + id + `"}`,
			`{"type":"text_delta","text":"b","turnId":"` + id + `"}`,
			`{"type":"text_delta","text":"c","turnId":"` + id + `"}`,
			`{"type":"text_delta","text":"d","turnId":"` + id + `"}`,
			`{"type":"done","text":"","turnId":"` + id + `"}`,
		}, receive(t, s, 5))
	}
}

type coded struct{}

func (coded) Error() string { return "no such door" }
func (coded) Code() string  { return "door" }

func TestDecisionsArePassedOnInOrderWhileTheTurnRuns(t *testing.T) {
	received := make(chan string)
	over := make(chan struct{})
	s := open(t, &fake{
		turn: func(_ context.Context, t *lifecycle.Turn) error {
			t.Emit(text("a"))
			<-over
			t.Emit(done())
			return nil
		},
		confirm: func(r agent.ConfirmationResponse) error { received <- r.ToolCallID; return nil },
		answer:  func(r agent.QuestionResponse) error { received <- r.QuestionID; return nil },
	})
	prompt(t, s, "t1")
	receive(t, s, 1)
	s.Confirm(agent.ConfirmationResponse{TurnID: "t0", ToolCallID: "late"})
	for range 10 {
		s.Confirm(agent.ConfirmationResponse{TurnID: "t1", ToolCallID: "c"})
		s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "q"})
	}
	for range 10 {
		require.Equal(t, "c", <-received)
		require.Equal(t, "q", <-received)
	}
	close(over)
	receive(t, s, 1)
}

func TestADecisionThatCannotBePassedOnIsShown(t *testing.T) {
	over := make(chan struct{})
	s := open(t, &fake{
		turn: func(_ context.Context, t *lifecycle.Turn) error {
			t.Emit(text("a"))
			<-over
			t.Emit(done())
			return nil
		},
		confirm: func(agent.ConfirmationResponse) error { return coded{} },
	})
	prompt(t, s, "t1")
	receive(t, s, 1)
	s.Confirm(agent.ConfirmationResponse{TurnID: "t1", ToolCallID: "c"})
	require.Equal(t, []string{`{"type":"error","error":"no such door","code":"door","fatal":false,"turnId":"t1"}`}, receive(t, s, 1))
	close(over)
	require.Contains(t, receive(t, s, 1)[0], `"done"`)
}
