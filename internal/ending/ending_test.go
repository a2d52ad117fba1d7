package ending

import (
	"bytes"
	"context"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type buffer struct{ bytes.Buffer }

func (*buffer) Close() error { return nil }

func TestNothingIsWrittenBeforeTheSignalsAreListenedTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ready := make(chan struct{})
		var out buffer
		h := (&Listener{ready: ready}).Output(&out)
		go func() {
			n, err := h.Write([]byte("answer"))
			assert.NoError(t, err)
			assert.Equal(t, 6, n)
		}()
		synctest.Wait()
		require.Empty(t, out.String())
		close(ready)
		synctest.Wait()
		require.Equal(t, "answer", out.String())
	})
}

func TestTheContextTellsWhichSignalEndedIt(t *testing.T) {
	l := Listen()
	defer l.Stop()
	ctx, cancel := l.Context(t.Context())
	defer cancel(nil)
	l.HangUps()
	l.signals <- syscall.SIGHUP
	<-ctx.Done()
	require.ErrorIs(t, ctx.Err(), context.Canceled)
	require.EqualError(t, context.Cause(ctx), "hangup signal received")
}
