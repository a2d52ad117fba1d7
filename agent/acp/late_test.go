package acp

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// expiring is a context whose deadline passes when late is closed.
type expiring struct {
	context.Context
	late chan struct{}
}

// Done implements [context.Context].
func (e expiring) Done() <-chan struct{} { return e.late }

// Err implements [context.Context].
func (e expiring) Err() error {
	select {
	case <-e.late:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// An answer that comes when nobody waits any more still says what is so.
func TestALateAnswerToAChoiceIsHeard(t *testing.T) {
	seen := filepath.Join(t.TempDir(), "seen") // the first choice, by the stand-in
	b := newBackend(
		Config{Name: "teapot", Args: []string{os.Args[0]}, Env: append(os.Environ(), "ACP_STAND_IN=slow", "ACP_STAND_IN_SEEN="+seen), StartTimeout: defaultStartTimeout},
		agent.Options{Cwd: t.TempDir(), Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(t.Context())
	modes := make(chan string)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		b.Announce(ctx, func(e agent.Event) bool {
			if m, ok := e.(*agent.ModeChanged); ok {
				modes <- m.ModeID
			}
			return true
		})
	}()
	require.Equal(t, "ask", <-modes)
	waiting := expiring{ctx, make(chan struct{})}
	result := make(chan error, 1)
	go func() {
		result <- b.Configure(waiting, agent.SetOption{OptionID: agent.OptionMode, Value: agent.Chosen("do")})
	}()
	require.Eventually(t, func() bool { _, err := os.Stat(seen); return err == nil }, time.Minute, time.Millisecond)
	close(waiting.late)
	require.EqualError(t, <-result, "teapot has not answered session/set_mode")
	// The stand-in answers the first when it is asked for the second.
	require.NoError(t, b.Configure(ctx, agent.SetOption{OptionID: agent.OptionMode, Value: agent.Chosen("ask")}))
	require.Equal(t, "do", <-modes)
	require.Equal(t, "ask", <-modes)
	cancel()
	<-ended
	require.NoError(t, b.Close(t.Context()))
}

func TestWhatIsKeptIsBoundedAndInItsOrder(t *testing.T) {
	var k pending
	for i := range 100 {
		text := []byte{byte('0' + i%10)}
		require.True(t, k.keep("answer", text))
		require.True(t, k.keep("current_mode_update", text))
		require.True(t, k.keep("config_option_update", text))
		require.False(t, k.keep("agent_message_chunk", text))
	}
	require.False(t, k.keep("usage_update", make([]byte, maxKept+1)))
	require.True(t, k.keep("current_mode_update", []byte("last")))
	lines := k.take()
	require.LessOrEqual(t, len(lines), maxAnswers+len(sessionWide))
	require.Equal(t, "last", string(lines[len(lines)-1]))
	require.Empty(t, k.take())
}
