package driver_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/driver"
	"github.com/turnwire/turnwire/agent/native"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a backend made of functions; those that are nil do nothing.
type fake struct {
	turn    func(ctx context.Context, t *driver.Turn) error
	confirm func(r agent.ConfirmationResponse) error
	answer  func(r agent.QuestionResponse) error
	cancel  func(turnID string) error
	closed  chan struct{}
}

func (f *fake) Turn(ctx context.Context, t *driver.Turn) error { return f.turn(ctx, t) }

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

func (f *fake) Cancel(_ context.Context, turnID string) error {
	if f.cancel == nil {
		return nil
	}
	return f.cancel(turnID)
}

func (f *fake) Close(context.Context) error {
	close(f.closed)
	return nil
}

func open(t *testing.T, f *fake) agent.Session {
	t.Helper()
	f.closed = make(chan struct{})
	s := driver.NewSession(f, slog.New(slog.DiscardHandler))
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

// take returns the next events as JSON, as many as are wanted.
func take(t *testing.T, s agent.Session, n int) []string {
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

func text(s string) agent.Event { return &agent.TextDelta{Text: []byte(s)} }

func done() agent.Event { return &agent.Done{} }

func TestATurnsEventsComeInOrderWithItsID(t *testing.T) {
	s := open(t, &fake{turn: func(_ context.Context, t *driver.Turn) error {
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
		}, take(t, s, 5))
	}
}

type coded struct{}

func (coded) Error() string { return "no such door" }
func (coded) Code() string  { return "door" }

func TestEachTurnEnds(t *testing.T) {
	for name, c := range map[string]struct {
		turn func(ctx context.Context, t *driver.Turn) error
		want string
	}{
		"without a word":     {func(context.Context, *driver.Turn) error { return nil }, `"code":"agent_no_end"`},
		"with an error":      {func(context.Context, *driver.Turn) error { return errors.New("lost") }, `"error":"lost","code":"agent_failed"`},
		"with a coded error": {func(context.Context, *driver.Turn) error { return coded{} }, `"error":"no such door","code":"door"`},
		"with a panic":       {func(context.Context, *driver.Turn) error { panic("oh") }, `"code":"agent_failed"`},
		"behind a small error": {func(_ context.Context, t *driver.Turn) error {
			goesOn := false
			t.Emit(&agent.Error{Error: "small", Fatal: &goesOn})
			return nil
		}, `"code":"agent_no_end"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, &fake{turn: c.turn})
			prompt(t, s, "t1")
			got := take(t, s, 1)
			if strings.Contains(got[0], "small") {
				got = take(t, s, 1)
			}
			require.Contains(t, got[0], `{"type":"error"`)
			require.Contains(t, got[0], c.want)
		})
	}
}

func TestACancelIsPassedOnAndTheTurnIsCancelled(t *testing.T) {
	told := make(chan string, 2)
	s := open(t, &fake{
		turn: func(_ context.Context, t *driver.Turn) error {
			t.Emit(text("a"))
			<-t.Cancelled()
			return errors.New("broken off")
		},
		cancel: func(turnID string) error { told <- turnID; return nil },
	})
	prompt(t, s, "t1")
	take(t, s, 1)
	s.Cancel(agent.Cancel{TurnID: "t0"}) // another turn's
	s.Cancel(agent.Cancel{TurnID: "t1"})
	s.Cancel(agent.Cancel{TurnID: "t1"})
	require.Equal(t, "t1", <-told)
	require.Contains(t, take(t, s, 1)[0], `"stopReason":"cancelled"`)
	prompt(t, s, "t2")
	take(t, s, 1)
	s.Cancel(agent.Cancel{TurnID: "t2"})
	require.Equal(t, "t2", <-told, "the second cancel of t1 was not passed on")
	require.Contains(t, take(t, s, 1)[0], `"stopReason":"cancelled"`)
}

func TestDecisionsArePassedOnInOrderWhileTheTurnRuns(t *testing.T) {
	told := make(chan string)
	over := make(chan struct{})
	s := open(t, &fake{
		turn: func(_ context.Context, t *driver.Turn) error {
			t.Emit(text("a"))
			<-over
			t.Emit(done())
			return nil
		},
		confirm: func(r agent.ConfirmationResponse) error { told <- r.ToolCallID; return nil },
		answer:  func(r agent.QuestionResponse) error { told <- r.QuestionID; return nil },
	})
	prompt(t, s, "t1")
	take(t, s, 1)
	s.Confirm(agent.ConfirmationResponse{TurnID: "t0", ToolCallID: "late"})
	for range 10 {
		s.Confirm(agent.ConfirmationResponse{TurnID: "t1", ToolCallID: "c"})
		s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "q"})
	}
	for range 10 {
		require.Equal(t, "c", <-told)
		require.Equal(t, "q", <-told)
	}
	close(over)
	take(t, s, 1)
}

func TestADecisionThatCannotBePassedOnIsShown(t *testing.T) {
	over := make(chan struct{})
	s := open(t, &fake{
		turn: func(_ context.Context, t *driver.Turn) error {
			t.Emit(text("a"))
			<-over
			t.Emit(done())
			return nil
		},
		confirm: func(agent.ConfirmationResponse) error { return coded{} },
	})
	prompt(t, s, "t1")
	take(t, s, 1)
	s.Confirm(agent.ConfirmationResponse{TurnID: "t1", ToolCallID: "c"})
	require.Equal(t, []string{`{"type":"error","error":"no such door","code":"door","fatal":false,"turnId":"t1"}`}, take(t, s, 1))
	close(over)
	require.Contains(t, take(t, s, 1)[0], `"done"`)
}

func TestACancelIsPassedOnWhileNobodyTakesEvents(t *testing.T) {
	told := make(chan string, 1)
	s := open(t, &fake{
		turn: func(_ context.Context, t *driver.Turn) error {
			for t.Emit(text("a")) {
			}
			return nil
		},
		confirm: func(agent.ConfirmationResponse) error { return coded{} },
		cancel:  func(turnID string) error { told <- turnID; return nil },
	})
	prompt(t, s, "t1")
	take(t, s, 1)
	s.Confirm(agent.ConfirmationResponse{TurnID: "t1"}) // its error cannot be shown now
	s.Cancel(agent.Cancel{TurnID: "t1"})
	require.Equal(t, "t1", <-told)
}

func TestAnAbandonedTurnIsCutOffAndTheNextWaitsForIt(t *testing.T) {
	running := make(chan struct{}, 1)
	s := open(t, &fake{turn: func(ctx context.Context, t *driver.Turn) error {
		running <- struct{}{}
		defer func() { <-running }()
		if t.Prompt.TurnID == "t1" {
			t.Emit(text("a"))
			<-ctx.Done()
			t.Emit(text("too late"))
			return ctx.Err()
		}
		t.Emit(done())
		return nil
	}})
	prompt(t, s, "t1")
	take(t, s, 1)
	s.Abandon("t0")
	s.Abandon("t1")
	prompt(t, s, "t2")
	require.Equal(t, []string{`{"type":"done","text":"","turnId":"t2"}`}, take(t, s, 1))
}

func TestATurnThatDoesNotReturnBehindItsEndIsCutOff(t *testing.T) {
	for name, end := range map[string]agent.Event{"done": done(), "an error": &agent.Error{Error: "lost"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := open(t, &fake{turn: func(ctx context.Context, t *driver.Turn) error {
					t.Emit(end)
					if t.Prompt.TurnID == "t1" {
						<-ctx.Done()
					}
					return nil
				}})
				for _, id := range []string{"t1", "t2"} {
					prompt(t, s, id)
					require.Contains(t, take(t, s, 1)[0], `"turnId":"`+id+`"`)
				}
			})
		})
	}
}

func TestTheEndOfATurnWaitsForWhoeverTakesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, &fake{turn: func(_ context.Context, t *driver.Turn) error {
			t.Emit(done())
			return nil
		}})
		prompt(t, s, "t1")
		<-time.After(time.Hour) // of a clock that jumps
		require.Contains(t, take(t, s, 1)[0], `"done"`)
	})
}

func TestAnErrorThatDoesNotEndATurnDoesNotCutItOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goesOn := false
		s := open(t, &fake{turn: func(ctx context.Context, t *driver.Turn) error {
			t.Emit(&agent.Error{Error: "small", Fatal: &goesOn})
			select {
			case <-time.After(time.Hour): // of a clock that jumps
				t.Emit(done())
			case <-ctx.Done():
			}
			return ctx.Err()
		}})
		prompt(t, s, "t1")
		require.Contains(t, take(t, s, 2)[1], `"done"`)
	})
}

func TestATurnThatIsCancelledBeforeItStartsDoesNotRun(t *testing.T) {
	release := make(chan struct{})
	s := open(t, &fake{turn: func(ctx context.Context, t *driver.Turn) error {
		if t.Prompt.TurnID != "t1" {
			t.Emit(text("it ran"))
			return nil
		}
		<-ctx.Done()
		<-release
		return nil
	}})
	prompt(t, s, "t1")
	s.Abandon("t1")
	prompt(t, s, "t2")
	s.Cancel(agent.Cancel{TurnID: "t2"})
	close(release)
	require.Equal(t, []string{`{"type":"done","text":"","stopReason":"cancelled","turnId":"t2"}`}, take(t, s, 1))
}

func TestCloseEndsWhatRuns(t *testing.T) {
	for name, turn := range map[string]func(ctx context.Context, t *driver.Turn) error{
		"a turn that waits":        func(ctx context.Context, _ *driver.Turn) error { <-ctx.Done(); return ctx.Err() },
		"a turn that nobody takes": func(_ context.Context, t *driver.Turn) error { t.Emit(done()); return nil },
		"a pump": func(ctx context.Context, t *driver.Turn) error {
			r, w := io.Pipe()
			go func() {
				<-ctx.Done()
				_ = w.Close()
			}()
			return t.Pump(r, native.Dialect.NewDecoder())
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{turn: turn, closed: make(chan struct{})}
			s := driver.NewSession(f, slog.New(slog.DiscardHandler))
			prompt(t, s, "t1")
			require.NoError(t, s.Close(context.Background()))
			require.NoError(t, s.Close(context.Background()), "again")
			<-f.closed
			_, ok := <-s.Events()
			require.False(t, ok)
			require.Error(t, s.Prompt(agent.Prompt{TurnID: "t2"}))
			s.Cancel(agent.Cancel{TurnID: "t1"})
			s.Confirm(agent.ConfirmationResponse{TurnID: "t1"})
		})
	}
}

func TestABatchThatIsNeverGivenBackDoesNotHoldUpClose(t *testing.T) {
	s := driver.NewSession(&fake{turn: func(_ context.Context, t *driver.Turn) error {
		t.Emit(text("a"))
		return nil
	}, closed: make(chan struct{})}, slog.New(slog.DiscardHandler))
	prompt(t, s, "t1")
	<-s.Events()
	require.NoError(t, s.Close(context.Background()))
}
