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
	ready   chan struct{} // closed when every signal is listened to
}

// listen returns a context that ends with the first of the signals that end a
// bridge in good order.
func listen(ctx context.Context) (context.Context, context.CancelCauseFunc, *listener) {
	ctx, cancel := context.WithCancelCause(ctx)
	l := &listener{signals: make(chan os.Signal, 1), ready: make(chan struct{})}
	go func() {
		defer close(l.ready)
		signal.Notify(l.signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		// Go ends a program that writes to a stdout nobody reads. The bridge has
		// agents to stop first. (Not Ignore: children would inherit that.)
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	}()
	go func() {
		select {
		case s := <-l.signals:
			cancel(fmt.Errorf("%v signal received", s))
		case <-ctx.Done():
		}
	}()
	return ctx, cancel, l
}

// stop ends the listening: the next signal ends the program.
func (l *listener) stop() {
	<-l.ready
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
