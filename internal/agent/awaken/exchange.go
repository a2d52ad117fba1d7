package awaken

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/turns"
)

// An exchange is a turn that runs: it reads the events of its run, wherever
// they come from next.
type exchange struct {
	backend *backend
	turn    *turns.Turn
	state   *wire.State // for between two lines, in the goroutine of the turn
	decoder dialect.Decoder
	cursor  string          // of the last fact that was read
	over    bool            // nobody takes events any more
	begun   bool            // there may be a run
	taken   atomic.Int64    // lines so far
	told    map[string]bool // the messages of the thread that were looked at, by their ids

	// sending holds whoever passes decisions on: they arrive in their order. A
	// cancel does not wait for it.
	sending chan struct{}

	mu           sync.Mutex
	run          wire.Run        // as it is by the events so far
	following    bool            // somebody reads what follows a decision
	decided      map[string]fate // by the suspension's id
	deferred     []decision      // until they can be sent
	cancelWanted bool
	cancelSent   bool
	leaving      bool
	changed      chan struct{} // something was decided
}

// A fate is how far the decision about a suspension is.
type fate int

const (
	undecided fate = iota
	onItsWay       // or with the server
	refusable      // it has not reached the server, perhaps
)

// setRun notes what the decoder knows of the run.
func (x *exchange) setRun(r wire.Run) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.run = r
}

// currentRun is what is known of the run.
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
			// Who gives up waiting may have started a run; who is refused has not.
			x.begun = before || ctx.Err() != nil
			return err
		}
		err = x.read(ctx, events, false)
		run := x.currentRun()
		if err == nil {
			err = &EndedError{URL: x.backend.client.URL(), Begun: run.ID != ""}
		}
		switch {
		case x.over || run.Phase == wire.Ended || ctx.Err() != nil:
			return ctx.Err()
		case run.ID == "":
			return err
		case !run.Older:
			return x.follow(ctx, err)
		case run.Phase != wire.Suspended:
			return err // an older server keeps no events
		}
		// An older server goes on with a run whose stream has ended as a new
		// one that is started with the decisions.
		decisions, ok := x.await(ctx)
		if !ok {
			return ctx.Err()
		}
		x.state.Expect()
		body["messages"], body["decisions"] = []any{}, olderBodies(decisions)
	}
}

// await waits until all that the user is asked is decided; false means that it
// will not be.
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

// read takes the events of a stream until it ends, or the run does. Only in
// those of the store an event's id is a cursor.
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
		if !x.take(ctx, []byte(event.Data)) {
			return nil
		}
		if stored && event.ID != "" {
			x.cursor = event.ID
		}
	}
	return nil
}

// take hands one event over. It is false where no other is of use.
func (x *exchange) take(ctx context.Context, line []byte) bool {
	x.taken.Add(1)
	if !x.turn.Decode(x.decoder, line) {
		x.over = true
		return false
	}
	return x.note(ctx)
}

// note takes note of where the run is, and reports whether it goes on.
func (x *exchange) note(ctx context.Context) bool {
	x.mu.Lock()
	run, cancel := x.run, x.cancelWanted && !x.cancelSent && x.run.ID != ""
	x.mu.Unlock()
	x.backend.name(run.Thread)
	if run.Phase != wire.Ended { // behind the end of a turn nothing is said of it
		x.backend.keep(x.turn)
	}
	if cancel { // it was cancelled before anybody knew its name
		if err := x.cancel(ctx); err != nil {
			goesOn := false
			x.turn.Emit(&agent.Error{Error: err.Error(), Fatal: &goesOn})
		}
	}
	return run.Phase != wire.Ended
}
