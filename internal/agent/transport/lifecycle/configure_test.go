package lifecycle_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// settable is a fake that has options.
type settable struct {
	fake
	announce  func(ctx context.Context, say func(agent.Event) bool)
	configure func(ctx context.Context, o agent.SetOption) error
}

func (s *settable) Announce(ctx context.Context, say func(agent.Event) bool) {
	if s.announce != nil {
		s.announce(ctx, say)
	}
}

func (s *settable) Configure(ctx context.Context, o agent.SetOption) error {
	return s.configure(ctx, o)
}

func openSettable(t *testing.T, b *settable) agent.Session {
	t.Helper()
	b.closed = make(chan struct{})
	s := lifecycle.NewSession(b, agent.Options{Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	return s
}

func choose(t *testing.T, s agent.Session, value string) {
	t.Helper()
	require.NoError(t, s.Configure(agent.SetOption{OptionID: "mode", Value: agent.Chosen(value)}))
}

func TestABackendWithoutOptionsRefusesChoices(t *testing.T) {
	s := open(t, &fake{})
	require.Error(t, s.Configure(agent.SetOption{OptionID: "mode"}))
}

func TestAnnouncementsBelongToNoTurn(t *testing.T) {
	s := openSettable(t, &settable{announce: func(_ context.Context, say func(agent.Event) bool) {
		say(&agent.ModeChanged{ModeID: "a"})
		say(&agent.ModeChanged{ModeID: "b"})
	}})
	require.Equal(t, []string{`{"type":"mode_changed","modeId":"a"}`, `{"type":"mode_changed","modeId":"b"}`}, receive(t, s, 2))
}

func TestAnUnreceivedAnnouncementEndsWithTheSession(t *testing.T) {
	s := openSettable(t, &settable{announce: func(_ context.Context, say func(agent.Event) bool) {
		for say(&agent.ModeChanged{ModeID: "a"}) {
			continue
		}
	}})
	require.NoError(t, s.Close(t.Context())) // goleak detects a leaked call
}

func TestChoicesArePassedOnInOrderAndRefusalsReported(t *testing.T) {
	passed := make(chan string, 3)
	s := openSettable(t, &settable{configure: func(_ context.Context, o agent.SetOption) error {
		passed <- o.Value.Choice
		if o.Value.Choice == "b" {
			return errors.New("not b")
		}
		return nil
	}})
	for _, value := range []string{"a", "b", "c"} {
		choose(t, s, value)
	}
	require.Equal(t, []string{`{"type":"option_refused","optionId":"mode","error":"not b"}`}, receive(t, s, 1))
	for _, value := range []string{"a", "b", "c"} {
		require.Equal(t, value, <-passed)
	}
}

func TestAPromptWaitsForEarlierChoicesAndACancelDoesNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := openSettable(t, &settable{
			fake: fake{turn: func(_ context.Context, t *lifecycle.Turn) error {
				t.Emit(done())
				return nil
			}},
			configure: func(context.Context, agent.SetOption) error {
				<-release
				return nil
			},
		})
		choose(t, s, "a")
		prompt(t, s, "t1")
		s.Cancel(agent.Cancel{TurnID: "t1"})
		require.Equal(t, []string{`{"type":"done","text":"","stopReason":"cancelled","turnId":"t1"}`}, receive(t, s, 1))
		prompt(t, s, "t2")
		synctest.Wait()
		select {
		case <-s.Events():
			require.Fail(t, "the turn began before the choice was passed on")
		default:
		}
		close(release)
		require.Equal(t, []string{`{"type":"done","text":"","turnId":"t2"}`}, receive(t, s, 1))
	})
}

func TestASlowChoiceIsRefusedTogetherWithLaterOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		passed := 0
		s := openSettable(t, &settable{configure: func(ctx context.Context, _ agent.SetOption) error {
			passed++
			<-ctx.Done()
			return errors.New("too slow")
		}})
		choose(t, s, "a")
		choose(t, s, "b")
		require.Contains(t, receive(t, s, 1)[0], `"error":"too slow"`)
		require.Contains(t, receive(t, s, 1)[0], `"error":"the agent has not confirmed the previous choice"`)
		require.Equal(t, 1, passed)
	})
}

func TestAClosedSessionRefusesChoices(t *testing.T) {
	s := openSettable(t, &settable{})
	require.NoError(t, s.Close(t.Context()))
	require.Error(t, s.Configure(agent.SetOption{OptionID: "mode"}))
}
