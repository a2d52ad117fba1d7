package awaken

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// An exchange is a running turn. It reads the events of its run from whichever
// source has them next.
type exchange struct {
	backend   *backend
	turn      *lifecycle.Turn
	state     *wire.State // used between lines, by the turn's goroutine
	decoder   dialect.Decoder
	cursor    string          // of the last fact that was read
	done      bool            // nobody receives events any more
	begun     bool            // there may be a run
	taken     atomic.Int64    // number of lines so far
	processed map[string]bool // ids of the thread's messages that were processed

	// sending is held while a decision is sent, so that decisions arrive in order.
	// A cancel does not wait for it.
	sending chan struct{}

	mu           sync.Mutex
	run          wire.Run            // as of the last event
	following    bool                // events after a decision are being read
	decided      map[string]progress // by the suspension's id
	deferred     []decision          // until they can be sent
	cancelWanted bool
	cancelSent   bool
	leaving      bool
	changed      chan struct{} // signals a new decision
}

// progress is the state of a suspension's decision.
type progress int

const (
	undecided progress = iota
	onItsWay           // being sent, or received by the server
	refusable          // it may not have reached the server
)

// setRun records the run's state from the decoder.
func (x *exchange) setRun(r wire.Run) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.run = r
}

// currentRun returns the run's current state.
func (x *exchange) currentRun() wire.Run {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.run
}

// work runs the turn.
func (x *exchange) work(ctx context.Context) error {
	body := map[string]any{
		"agentId":  x.backend.agentID,
		"messages": []any{map[string]any{"role": "user", "content": x.turn.Prompt.Text}},
	}
	for {
		if thread := x.backend.named(); thread != "" {
			body["threadId"] = thread
		}
		before := x.begun
		x.begun = true
		events, err := x.start(ctx, body)
		if err != nil {
			// If the wait was interrupted, a run may have started; if the request
			// was refused, none has.
			x.begun = before || ctx.Err() != nil
			return err
		}
		err = x.read(ctx, events, false)
		run := x.currentRun()
		if err == nil {
			err = &EndedError{URL: x.backend.client.URL(), Begun: run.ID != ""}
		}
		switch {
		case x.done || run.Phase == wire.Ended || ctx.Err() != nil:
			return ctx.Err()
		case run.ID == "":
			return err
		case !run.Older:
			return x.follow(ctx, err)
		case run.Phase != wire.Suspended:
			return err // an older server stores no events
		}
		// An older server continues a suspended run whose stream has ended as a
		// new run, which is started with the decisions.
		decisions, ok := x.await(ctx)
		if !ok {
			return ctx.Err()
		}
		x.state.Expect()
		body["messages"], body["decisions"] = []any{}, olderBodies(decisions)
	}
}

// await waits until everything that the user was asked is decided. It returns
// false if the turn ends first.
func (x *exchange) await(ctx context.Context) ([]decision, bool) {
	for {
		x.mu.Lock()
		if len(x.deferred) > 0 && len(x.deferred) >= len(x.run.Waiting) {
			deferred := x.deferred
			x.deferred = nil
			x.mu.Unlock()
			return deferred, true
		}
		x.mu.Unlock()
		select {
		case <-x.changed:
		case <-x.turn.Cancelled():
			return nil, false
		case <-ctx.Done():
			return nil, false
		}
	}
}

// read handles the events of a stream until the stream or the run ends. Only
// events from the store have a cursor as their id.
func (x *exchange) read(ctx context.Context, events *httpsse.Stream, stored bool) error {
	defer events.Close()
	for event, err := range events.All() {
		switch {
		case err != nil:
			return err
		case event.Type == "error":
			return storeError(x.backend.client.URL(), event.Data)
		case event.Data == "":
			continue
		}
		if !x.handle(ctx, []byte(event.Data)) {
			return nil
		}
		if stored && event.ID != "" {
			x.cursor = event.ID
		}
	}
	return nil
}

// handle hands over one event. It returns false if no more events are needed.
func (x *exchange) handle(ctx context.Context, line []byte) bool {
	x.taken.Add(1)
	if !x.turn.Decode(x.decoder, line) {
		x.done = true
		return false
	}
	return x.note(ctx)
}

// note updates the exchange to the run's state, and reports whether the run
// continues.
func (x *exchange) note(ctx context.Context) bool {
	x.mu.Lock()
	run, cancel := x.run, x.cancelWanted && !x.cancelSent && x.run.ID != ""
	x.mu.Unlock()
	x.backend.name(run.Thread)
	if run.Phase != wire.Ended { // after the end of a turn, nothing more may be emitted
		x.backend.keep(x.turn)
	}
	if cancel { // it was cancelled before its id was known
		if err := x.cancel(ctx); err != nil {
			goesOn := false
			x.turn.Emit(&agent.Error{Error: err.Error(), Fatal: &goesOn})
		}
	}
	return run.Phase != wire.Ended
}
