// Package ending hears the signals that end a bridge in good order.
//
// To begin to listen takes the runtime a round trip between threads for each
// signal: a tenth of the time in which Turnwire answers an editor's first
// request. So it goes on beside the rest of the start, and who writes to the
// editor waits for it at the first byte (see [Listener.Output]): an editor that
// ends the bridge as soon as it has answered finds it ready.
package ending

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/turnwire/turnwire/internal/lazy"
)

// A Listener hears SIGTERM and SIGINT, and SIGHUP once [Listener.HangUps] was
// called.
type Listener struct {
	signals chan os.Signal
	ready   chan struct{} // closed when SIGTERM and SIGINT are listened to
}

// Listen begins to listen, and does not wait for that. Signals come to a whole
// program: there is one Listener, which every call returns.
func Listen() *Listener { return listener.Get() }

var listener = lazy.Value[*Listener]{Make: begin}

func begin() *Listener {
	l := &Listener{signals: make(chan os.Signal, 1), ready: make(chan struct{})}
	go func() {
		signal.Notify(l.signals, syscall.SIGTERM, syscall.SIGINT)
		close(l.ready)
	}()
	return l
}

// Context returns one that ends with the first signal, which is its cause.
func (l *Listener) Context(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case s := <-l.signals:
			cancel(errors.New(s.String() + " signal received"))
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// HangUps makes l hear SIGHUP too. Until then it ends the program at once.
func (l *Listener) HangUps() {
	<-l.ready
	signal.Notify(l.signals, syscall.SIGHUP)
}

// Stop ends the listening: the next signal ends the program.
func (l *Listener) Stop() {
	<-l.ready
	signal.Stop(l.signals)
}

// Output returns w, whose first byte is written when the signals are listened
// to.
func (l *Listener) Output(w io.WriteCloser) io.WriteCloser { return output{w, l.ready} }

type output struct {
	io.WriteCloser
	ready <-chan struct{}
}

func (o output) Write(b []byte) (int, error) {
	<-o.ready
	return o.WriteCloser.Write(b)
}
