package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// A listener hears the signals that end a bridge. It is set up beside the work
// of the start, for the runtime makes a round trip between threads for each
// signal; who has read something from the bridge can rely on it, see [heard].
type listener struct {
	signals chan os.Signal
	ready   chan struct{} // closed when SIGTERM and SIGINT are listened to
	done    chan struct{} // closed when SIGHUP is, too, which no editor sends
}

// listen begins to listen, and does not wait for that.
func listen() *listener {
	l := &listener{signals: make(chan os.Signal, 1), ready: make(chan struct{}), done: make(chan struct{})}
	go func() {
		signal.Notify(l.signals, syscall.SIGTERM, syscall.SIGINT)
		close(l.ready)
		signal.Notify(l.signals, syscall.SIGHUP)
		close(l.done)
	}()
	return l
}

// context returns one that ends with the first of the signals that end a
// bridge in good order.
func (l *listener) context(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case s := <-l.signals:
			cancel(fmt.Errorf("%v signal received", s))
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// stop ends the listening: the next signal ends the program.
func (l *listener) stop() {
	<-l.done
	signal.Stop(l.signals)
}

// heard is an output whose first byte is written when the signals are listened
// to: an editor that ends the bridge as soon as it answered finds it ready.
type heard struct {
	io.WriteCloser
	ready <-chan struct{}
}

func (h heard) Write(b []byte) (int, error) {
	<-h.ready
	return h.WriteCloser.Write(b)
}
