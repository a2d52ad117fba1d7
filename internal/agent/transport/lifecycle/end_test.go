package lifecycle_test

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

	"github.com/turnwire/turnwire/agent"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

func TestEachTurnEnds(t *testing.T) {
	for name, c := range map[string]struct {
		turn func(ctx context.Context, t *lifecycle.Turn) error
		want string
	}{
		"without a word":     {func(context.Context, *lifecycle.Turn) error { return nil }, `"code":"agent_no_end"`},
		"with an error":      {func(context.Context, *lifecycle.Turn) error { return errors.New("lost") }, `"error":"lost","code":"agent_failed"`},
		"with a coded error": {func(context.Context, *lifecycle.Turn) error { return coded{} }, `"error":"no such door","code":"door"`},
		"with a panic":       {func(context.Context, *lifecycle.Turn) error { panic("oh") }, `"code":"agent_failed"`},
		"behind a small error": {func(_ context.Context, t *lifecycle.Turn) error {
			goesOn := false
			t.Emit(&agent.Error{Error: "small", Fatal: &goesOn})
			return nil
		}, `"code":"agent_no_end"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, &fake{turn: c.turn})
			prompt(t, s, "t1")
			got := receive(t, s, 1)
			if strings.Contains(got[0], "small") {
				got = receive(t, s, 1)
			}
			require.Contains(t, got[0], `{"type":"error"`)
			require.Contains(t, got[0], c.want)
		})
	}
}

func TestACancelIsPassedOnAndTheTurnIsCancelled(t *testing.T) {
	received := make(chan string, 2)
	s := open(t, &fake{
		turn: func(_ context.Context, t *lifecycle.Turn) error {
			t.Emit(text("a"))
			<-t.Cancelled()
			return errors.New("broken off")
		},
		cancel: func(_ context.Context, turnID string) error { received <- turnID; return nil },
	})
	prompt(t, s, "t1")
	receive(t, s, 1)
	s.Cancel(agent.Cancel{TurnID: "t0"}) // the cancel of another turn
	s.Cancel(agent.Cancel{TurnID: "t1"})
	s.Cancel(agent.Cancel{TurnID: "t1"})
	require.Equal(t, "t1", <-received)
	require.Contains(t, receive(t, s, 1)[0], `"stopReason":"cancelled"`)
	prompt(t, s, "t2")
	receive(t, s, 1)
	s.Cancel(agent.Cancel{TurnID: "t2"})
	require.Equal(t, "t2", <-received, "the second cancel of t1 was not passed on")
	require.Contains(t, receive(t, s, 1)[0], `"stopReason":"cancelled"`)
}

func TestACancelInTransitDoesNotReachTheNextTurn(t *testing.T) {
	for name, arrives := range map[string]bool{"it arrives late": true, "it never arrives": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := make(chan string, 2)
				sent, arrive := make(chan struct{}), make(chan struct{})
				s := open(t, &fake{
					turn: func(_ context.Context, t *lifecycle.Turn) error {
						begun <- t.Prompt.TurnID
						if t.Prompt.TurnID == "t1" {
							<-sent
						}
						t.Emit(done())
						return nil
					},
					cancel: func(ctx context.Context, _ string) error {
						close(sent)
						select {
						case <-arrive:
						case <-ctx.Done():
						}
						return nil
					},
				})
				prompt(t, s, "t1")
				require.Equal(t, "t1", <-begun)
				s.Cancel(agent.Cancel{TurnID: "t1"})
				receive(t, s, 1)
				prompt(t, s, "t2")
				synctest.Wait()
				require.Empty(t, begun)
				if arrives {
					close(arrive)
				}
				require.Equal(t, "t2", <-begun)
				receive(t, s, 1)
			})
		})
	}
}

func TestACancelIsPassedOnWithoutAReceiver(t *testing.T) {
	received := make(chan string, 1)
	s := open(t, &fake{
		turn: func(_ context.Context, t *lifecycle.Turn) error {
			for t.Emit(text("a")) {
			}
			return nil
		},
		confirm: func(agent.ConfirmationResponse) error { return coded{} },
		cancel:  func(_ context.Context, turnID string) error { received <- turnID; return nil },
	})
	prompt(t, s, "t1")
	receive(t, s, 1)
	s.Confirm(agent.ConfirmationResponse{TurnID: "t1"}) // its error can't be shown now
	s.Cancel(agent.Cancel{TurnID: "t1"})
	require.Equal(t, "t1", <-received)
}

func TestAnAbandonedTurnIsCutOffAndTheNextWaitsForIt(t *testing.T) {
	running := make(chan struct{}, 1)
	s := open(t, &fake{turn: func(ctx context.Context, t *lifecycle.Turn) error {
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
	receive(t, s, 1)
	s.Abandon("t0")
	s.Abandon("t1")
	prompt(t, s, "t2")
	require.Equal(t, []string{`{"type":"done","text":"","turnId":"t2"}`}, receive(t, s, 1))
}

func TestATurnThatDoesNotReturnAfterItsEndIsCutOff(t *testing.T) {
	for name, end := range map[string]agent.Event{"done": done(), "an error": &agent.Error{Error: "lost"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := open(t, &fake{turn: func(ctx context.Context, t *lifecycle.Turn) error {
					t.Emit(end)
					if t.Prompt.TurnID == "t1" {
						<-ctx.Done()
					}
					return nil
				}})
				for _, id := range []string{"t1", "t2"} {
					prompt(t, s, id)
					require.Contains(t, receive(t, s, 1)[0], `"turnId":"`+id+`"`)
				}
			})
		})
	}
}

func TestTheEndOfATurnWaitsForItsReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, &fake{turn: func(_ context.Context, t *lifecycle.Turn) error {
			t.Emit(done())
			return nil
		}})
		prompt(t, s, "t1")
		<-time.After(time.Hour) // the clock is fake and jumps
		require.Contains(t, receive(t, s, 1)[0], `"done"`)
	})
}

func TestANonFatalErrorDoesNotCutOffATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goesOn := false
		s := open(t, &fake{turn: func(ctx context.Context, t *lifecycle.Turn) error {
			t.Emit(&agent.Error{Error: "small", Fatal: &goesOn})
			select {
			case <-time.After(time.Hour): // the clock is fake and jumps
				t.Emit(done())
			case <-ctx.Done():
			}
			return ctx.Err()
		}})
		prompt(t, s, "t1")
		require.Contains(t, receive(t, s, 2)[1], `"done"`)
	})
}

func TestATurnThatIsCancelledBeforeItStartsDoesNotRun(t *testing.T) {
	release := make(chan struct{})
	s := open(t, &fake{turn: func(ctx context.Context, t *lifecycle.Turn) error {
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
	require.Equal(t, []string{`{"type":"done","text":"","stopReason":"cancelled","turnId":"t2"}`}, receive(t, s, 1))
}

func TestCloseEndsWhatRuns(t *testing.T) {
	for name, turn := range map[string]func(ctx context.Context, t *lifecycle.Turn) error{
		"a turn that waits":        func(ctx context.Context, _ *lifecycle.Turn) error { <-ctx.Done(); return ctx.Err() },
		"a turn that nobody takes": func(_ context.Context, t *lifecycle.Turn) error { t.Emit(done()); return nil },
		"a pump": func(ctx context.Context, t *lifecycle.Turn) error {
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
			s := lifecycle.NewSession(f, agent.Options{Log: slog.New(slog.DiscardHandler)})
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

func TestAnUnreleasedBatchDoesNotDelayClose(t *testing.T) {
	s := lifecycle.NewSession(&fake{turn: func(_ context.Context, t *lifecycle.Turn) error {
		t.Emit(text("a"))
		return nil
	}, closed: make(chan struct{})}, agent.Options{Log: slog.New(slog.DiscardHandler)})
	prompt(t, s, "t1")
	<-s.Events()
	require.NoError(t, s.Close(context.Background()))
}
