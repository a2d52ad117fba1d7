package lifecycle_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// steerable is a fake that accepts every message during a turn.
type steerable struct {
	fake
	received []string
}

func (s *steerable) Steer(_ context.Context, text string) error {
	s.received = append(s.received, text)
	return nil
}

// A session that accepts a message must deliver it, or say that it didn't.
func TestAMessageBeforeItsTurnStartsIsNotAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		b := &steerable{fake: fake{
			turn: func(ctx context.Context, t *lifecycle.Turn) error {
				if t.Prompt.TurnID == "t2" {
					<-ctx.Done()
					return nil
				}
				t.Emit(done())
				<-release // after its end
				return nil
			},
			closed: make(chan struct{}),
		}}
		s := lifecycle.NewSession(b, agent.Options{Log: slog.New(slog.DiscardHandler)})
		steer := func(turnID string) bool {
			return s.(agent.Steerer).Steer(agent.Steer{TurnID: turnID, SteerID: "s", Text: turnID})
		}
		prompt(t, s, "t1")
		receive(t, s, 1)
		prompt(t, s, "t2")
		synctest.Wait()
		accepted := steer("t2")
		synctest.Wait()
		require.False(t, accepted)
		require.Empty(t, b.received)
		close(release)
		synctest.Wait()
		require.True(t, steer("t2"))
		synctest.Wait()
		require.Equal(t, []string{"t2"}, b.received)
		require.NoError(t, s.Close(context.Background()))
	})
}
