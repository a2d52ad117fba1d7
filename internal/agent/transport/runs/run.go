package runs

import (
	"context"
	"time"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// linger is how long a server may take to close a stream whose run has ended. Some store
// the conversation then, and stop if the client is gone.
const linger = 2 * time.Second

// A Phase is how far a run is.
type Phase int

// The phases of a run.
const (
	Unknown Phase = iota // nothing of the protocol has arrived
	Running
	Ended // or waits for answers
)

// A Conversation is a conversation in one protocol. Its methods are called one after
// another.
type Conversation interface {
	// Begin begins a turn, before its first run.
	Begin(t *lifecycle.Turn)
	// Open starts the turn's next run, and returns the stream of its events.
	Open(ctx context.Context) (*httpsse.Stream, dialect.Decoder, error)
	// Phase is called after the events of each line were emitted.
	Phase(t *lifecycle.Turn) Phase
	// Next is called after each run, unless the session was closed. failed is the reason why the run has not ended as
	// it should. Next waits for the answers that the run needs, and returns true if
	// another run continues the turn. Its error ends the turn.
	Next(ctx context.Context, t *lifecycle.Turn, failed error) (more bool, err error)
}

// Run runs a turn until it ends.
func (b *Backend) Run(ctx context.Context, t *lifecycle.Turn, c Conversation) error {
	ctx, end := t.UntilCancelled(ctx)
	defer end()
	b.Answers.Begin()
	if t.IsCancelled() { // before there was anything to stop
		return nil
	}
	c.Begin(t)
	for {
		failed := b.run(ctx, t, c)
		if t.IsClosed() {
			return failed
		}
		if more, err := c.Next(ctx, t, failed); !more || err != nil || t.IsCancelled() {
			return err
		}
	}
}

// run runs one run until the server has closed its stream.
func (b *Backend) run(ctx context.Context, t *lifecycle.Turn, c Conversation) error {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	events, decoder, err := c.Open(ctx)
	if err != nil {
		return err
	}
	defer events.Close()
	phase, status := Unknown, "it sent nothing"
	for event, err := range events.All() {
		if phase == Ended {
			continue // the server is about to close the stream
		}
		if err != nil {
			return err
		}
		line := event.Line()
		if b.Tap != nil {
			b.Tap(line)
		}
		if !t.Decode(decoder, line) {
			return context.Canceled // nobody receives the turn's events any more
		}
		if phase, status = c.Phase(t), ""; phase == Ended {
			defer time.AfterFunc(linger, leave).Stop()
		}
	}
	switch {
	case phase == Ended:
		return nil
	case phase == Unknown && status == "":
		return events.Foreign(b.Protocol)
	}
	return events.CutOff(status)
}
