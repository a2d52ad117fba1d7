package lifecycle_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// waiting is a turn that runs until its context ends.
func waiting(ctx context.Context, t *lifecycle.Turn) error {
	t.Emit(text("a"))
	<-ctx.Done()
	return nil
}

func allow(s agent.Session, id string) {
	s.Confirm(agent.ConfirmationResponse{TurnID: "t1", ConfirmationID: id, ToolCallID: "c", Decision: agent.AllowAlways})
}

func TestNothingIsPermittedAfterACancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var received []string
		s := open(t, &fake{
			turn: waiting,
			confirm: func(r agent.ConfirmationResponse) error {
				received = append(received, string(r.Decision)+" "+r.ConfirmationID+" "+r.Reason)
				return nil
			},
			answer: func(r agent.QuestionResponse) error {
				require.True(t, r.Cancelled)
				require.Empty(t, r.Answer)
				require.Empty(t, r.Answers)
				received = append(received, "no answer "+r.QuestionID+" "+r.Reason)
				return nil
			},
			cancel: func(context.Context, string) error { received = append(received, "cancel"); return nil },
		})
		prompt(t, s, "t1")
		receive(t, s, 1)
		s.Cancel(agent.Cancel{TurnID: "t1"})
		allow(s, "1")
		s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "q", Answer: "yes", Answers: []string{"yes"}})
		s.Confirm(agent.ConfirmationResponse{TurnID: "t1", ConfirmationID: "2", Decision: agent.RejectAlways})
		synctest.Wait()
		require.Equal(t, []string{
			"cancel", "cancelled 1 the turn was cancelled", "no answer q the turn was cancelled", "reject_always 2 ",
		}, received)
	})
}

func TestACancelOvertakesPendingAnswersAndRefusesThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var received []string
		release := make(chan struct{})
		s := open(t, &fake{
			turn: waiting,
			confirm: func(r agent.ConfirmationResponse) error {
				received = append(received, r.ConfirmationID+" "+string(r.Decision))
				<-release
				return nil
			},
			answer: func(r agent.QuestionResponse) error {
				require.True(t, r.Cancelled)
				received = append(received, r.QuestionID)
				return nil
			},
			cancel: func(context.Context, string) error { received = append(received, "cancel"); return nil },
		})
		prompt(t, s, "t1")
		receive(t, s, 1)
		s.Confirm(agent.ConfirmationResponse{TurnID: "t1", ConfirmationID: "1", Decision: agent.RejectOnce})
		synctest.Wait()
		allow(s, "2")
		s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "q", Answer: "yes"})
		allow(s, "3")
		s.Cancel(agent.Cancel{TurnID: "t1"})
		close(release)
		synctest.Wait()
		require.Equal(t, []string{"1 reject_once", "cancel", "2 cancelled", "q", "3 cancelled"}, received)
	})
}

// permitting is a fake whose Confirm learns when to stop.
type permitting struct {
	fake
	permit func(ctx context.Context) error
}

func (p *permitting) Confirm(ctx context.Context, _ agent.ConfirmationResponse) error {
	return p.permit(ctx)
}

func TestACancelStopsAPermissionInTransit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		received := make(chan string, 2)
		b := &permitting{
			fake: fake{
				turn: func(_ context.Context, t *lifecycle.Turn) error {
					t.Emit(text("a"))
					<-t.Cancelled()
					return nil
				},
				cancel: func(context.Context, string) error { received <- "cancel"; return nil },
				closed: make(chan struct{}),
			},
			permit: func(ctx context.Context) error {
				received <- "asked"
				<-ctx.Done()
				return ctx.Err()
			},
		}
		s := lifecycle.NewSession(b, agent.Options{Log: slog.New(slog.DiscardHandler)})
		t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
		prompt(t, s, "t1")
		receive(t, s, 1)
		allow(s, "1")
		require.Equal(t, "asked", <-received)
		s.Cancel(agent.Cancel{TurnID: "t1"})
		require.Equal(t, "cancel", <-received, "at once: the clock of this test stands still")
		require.Equal(t, []string{`{"type":"done","text":"","stopReason":"cancelled","turnId":"t1"}`}, receive(t, s, 1), "and that is no failure")
	})
}

// A client that cancels and closes at once must not leave the agent working.
func TestCloseWaitsForACancelInTransit(t *testing.T) {
	for name, c := range map[string]struct {
		answers bool // whether the agent's server answers in the end
		want    error
	}{
		"that arrives":   {answers: true},
		"but not for it": {want: context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				answer, given := make(chan struct{}), make(chan error, 1)
				f := &fake{
					closed: make(chan struct{}),
					turn: func(_ context.Context, t *lifecycle.Turn) error {
						t.Emit(text("a"))
						<-t.Cancelled()
						return nil
					},
					cancel: func(ctx context.Context, _ string) error {
						select {
						case <-answer:
						case <-ctx.Done():
						}
						given <- ctx.Err()
						return ctx.Err()
					},
				}
				s := lifecycle.NewSession(f, agent.Options{Log: slog.New(slog.DiscardHandler)})
				prompt(t, s, "t1")
				receive(t, s, 1)
				s.Cancel(agent.Cancel{TurnID: "t1"})
				receive(t, s, 1) // the turn ends for the user
				closed := make(chan error, 1)
				go func() { closed <- s.Close(context.Background()) }()
				synctest.Wait()
				require.Empty(t, given)
				if c.answers {
					close(answer)
				}
				require.Equal(t, c.want, <-given)
				require.NoError(t, <-closed)
			})
		})
	}
}

func TestATurnMayGoOnForSomeTimeAfterACancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var after time.Duration
		s := open(t, &fake{turn: func(ctx context.Context, turn *lifecycle.Turn) error {
			within, end := turn.AfterCancel(ctx, time.Second)
			defer end()
			turn.Emit(text("a"))
			<-turn.Cancelled()
			begun := time.Now()
			now, endNow := turn.UntilCancelled(ctx)
			defer endNow()
			if now.Err() == nil {
				return errors.New("a context begins although the turn is cancelled")
			}
			<-within.Done()
			after = time.Since(begun)
			return ctx.Err()
		}})
		prompt(t, s, "t1")
		receive(t, s, 1)
		s.Cancel(agent.Cancel{TurnID: "t1"})
		receive(t, s, 1)
		require.Equal(t, time.Second, after)
	})
}
