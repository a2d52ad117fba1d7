package awaken

import (
	"context"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/agent/transport/httpsse"
	"github.com/turnwire/turnwire/agent/transport/turns"
)

// An exchange is a turn that runs: it reads the events of its run, wherever
// they come from next.
type exchange struct {
	backend *backend
	turn    *turns.Turn
	run     *run
	decoder *decoder
	seen    seen
	cursor  string // of the last fact that was read
	over    bool   // nobody takes events any more
	begun   bool   // there may be a run

	mu        sync.Mutex
	following bool            // somebody reads what follows a decision
	decided   map[string]fate // by the suspension's id
	kept      []decision      // until they can be sent
	wanted    bool            // the run is to be cancelled
	told      bool            // the server was told so
	leaving   bool
	changed   chan struct{} // something was decided
}

// A fate is how far the decision about a suspension is.
type fate int

const (
	undecided fate = iota
	onItsWay       // or with the server
	refusable      // it has not reached the server, perhaps
)

// work runs the turn.
func (x *exchange) work(ctx context.Context) error {
	body := map[string]any{
		"agentId":  x.backend.agentID,
		"messages": []any{map[string]any{"role": "user", "content": x.turn.Prompt.Text}},
	}
	for {
		x.backend.mu.Lock()
		if x.backend.thread != "" {
			body["threadId"] = x.backend.thread
		}
		x.backend.mu.Unlock()
		before := x.begun
		x.begun = true
		events, err := x.start(ctx, body)
		if err != nil {
			// Who gives up waiting may have started a run; who is refused has not.
			x.begun = before || ctx.Err() != nil
			return err
		}
		err = x.read(ctx, events, false)
		id, _, older := x.run.place()
		if err == nil {
			err = &EndedError{URL: x.backend.client.URL(), Begun: id != ""}
		}
		_, p := x.run.state()
		switch {
		case x.over || p == ended || ctx.Err() != nil:
			return ctx.Err()
		case id == "":
			return err
		case !older:
			return x.follow(ctx, err)
		case p != suspended:
			return err // an older server keeps no events
		}
		// An older server goes on with a run whose stream has ended as a new
		// one that is started with the decisions.
		decisions, ok := x.await(ctx)
		if !ok {
			return ctx.Err()
		}
		x.run.expect()
		body["messages"], body["decisions"] = []any{}, olderBodies(decisions)
	}
}

// await waits until all that the person is asked is decided; false means that
// it will not be.
func (x *exchange) await(ctx context.Context) ([]decision, bool) {
	for {
		x.mu.Lock()
		if len(x.kept) > 0 && len(x.kept) >= len(x.run.waiting()) {
			kept := x.kept
			x.kept = nil
			x.mu.Unlock()
			return kept, true
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
	m, err := parse(line)
	if err != nil {
		line = dialect.Readable(line)
		m, err = parse(line)
	}
	if err == nil && x.seen.before(&m) {
		return true
	}
	if !x.turn.Decode(x.decoder, line) {
		x.over = true
		return false
	}
	if err == nil {
		x.note(ctx, &m)
	}
	_, p := x.run.state()
	return p != ended
}

// note takes note of where the run is, when it says so.
func (x *exchange) note(ctx context.Context, m *message) {
	if string(m.name) != "run_start" {
		return
	}
	_, thread, _ := x.run.place()
	x.backend.mu.Lock()
	if x.backend.thread == "" {
		x.backend.thread = thread
	}
	x.backend.mu.Unlock()
	x.mu.Lock()
	cancel := x.wanted && !x.told
	x.mu.Unlock()
	if !cancel { // it was cancelled before anybody knew its name
		return
	}
	if err := x.cancel(ctx); err != nil {
		goesOn := false
		x.turn.Emit(&agent.Error{Error: err.Error(), Fatal: &goesOn})
	}
}
