package awaken

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/driver"
	"github.com/turnwire/turnwire/agent/remote"
)

// An activity is a turn that runs: it reads the events of its run, wherever
// they come from next.
type activity struct {
	backend *backend
	turn    *driver.Turn
	run     *run
	decoder *decoder
	seen    seen
	cursor  string // of the last fact that was read
	over    bool   // nobody takes events any more
	begun   bool   // there may be a run

	mu        sync.Mutex
	following bool            // somebody reads what follows a decision
	decided   map[string]bool // by the suspension's id
	kept      []decision      // until they can be sent
	wanted    bool            // the run is to be cancelled
	told      bool            // the server was told so
	leaving   bool
	changed   chan struct{} // something was decided
}

var (
	errNoRun = errors.New("the server ended the stream before the run had begun. See the server's log")
	errEnded = errors.New("the server ended the stream in the middle of the run. See the server's log")
)

// work runs the turn.
func (a *activity) work(ctx context.Context) error {
	body := map[string]any{
		"agentId":  a.backend.agentID,
		"messages": []any{map[string]any{"role": "user", "content": a.turn.Prompt.Text}},
	}
	for {
		a.backend.mu.Lock()
		if a.backend.thread != "" {
			body["threadId"] = a.backend.thread
		}
		a.backend.mu.Unlock()
		before := a.begun
		a.begun = true
		events, err := a.backend.client.Stream(ctx, http.MethodPost, "/v1/runs", body, "")
		if err != nil {
			// Who gives up waiting may have started a run; who is refused has not.
			a.begun = before || ctx.Err() != nil
			return err
		}
		if err = a.read(ctx, events, false); err == nil {
			err = errEnded
		}
		id, _, older := a.run.place()
		_, p := a.run.state()
		switch {
		case a.over || p == ended || ctx.Err() != nil:
			return ctx.Err()
		case id == "":
			if errors.Is(err, errEnded) {
				return errNoRun
			}
			return err
		case !older:
			return a.follow(ctx, err)
		case p != suspended:
			return err // an older server keeps no events
		}
		// An older server goes on with a run whose stream has ended as a new
		// one that is started with the decisions.
		decisions, ok := a.await(ctx)
		if !ok {
			return ctx.Err()
		}
		a.run.expect()
		body["messages"], body["decisions"] = []any{}, olderBodies(decisions)
	}
}

// await waits until all that the person is asked is decided.
func (a *activity) await(ctx context.Context) ([]decision, bool) {
	for {
		a.mu.Lock()
		if len(a.kept) > 0 && len(a.kept) >= len(a.run.waiting()) {
			kept := a.kept
			a.kept = nil
			a.mu.Unlock()
			return kept, true
		}
		a.mu.Unlock()
		select {
		case <-a.changed:
		case <-ctx.Done():
			return nil, false
		}
	}
}

// read takes the events of a stream until it ends, or the run does. Only in
// those of the store an event's id is a cursor.
func (a *activity) read(ctx context.Context, events *remote.Events, stored bool) error {
	defer events.Close()
	for event, err := range events.All() {
		switch {
		case err != nil:
			return err
		case event.Type == "error":
			return storeError(event.Data)
		case event.Data == "":
			continue
		}
		if !a.take(ctx, []byte(event.Data)) {
			return nil
		}
		if stored && event.ID != "" {
			a.cursor = event.ID
		}
	}
	return nil
}

// take hands one event over. It is false where no other is of use.
func (a *activity) take(ctx context.Context, line []byte) bool {
	m, err := parse(line)
	if err == nil && a.seen.before(&m) {
		return true
	}
	if !a.turn.Decode(a.decoder, line) {
		a.over = true
		return false
	}
	if err == nil {
		a.note(ctx, &m)
	}
	_, p := a.run.state()
	return p != ended
}

// note takes note of where the run is, when it says so.
func (a *activity) note(ctx context.Context, m *message) {
	if string(m.name) != "run_start" {
		return
	}
	_, thread, _ := a.run.place()
	a.backend.mu.Lock()
	if a.backend.thread == "" {
		a.backend.thread = thread
	}
	a.backend.mu.Unlock()
	a.mu.Lock()
	cancel := a.wanted && !a.told
	a.mu.Unlock()
	if !cancel { // it was cancelled before anybody knew its name
		return
	}
	if err := a.cancel(ctx); err != nil {
		goesOn := false
		a.turn.Emit(&agent.Error{Error: err.Error(), Fatal: &goesOn})
	}
}

// leave cancels a run that has not ended when its turn has: closing its stream
// does not.
func (a *activity) leave(ctx context.Context) {
	if !a.begun || !a.run.unfinished() {
		return
	}
	a.mu.Lock()
	a.leaving = true
	a.mu.Unlock()
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), a.backend.pace.leave)
	defer stop()
	if err := a.cancel(ctx); err != nil {
		a.backend.log.Warn("a run could not be cancelled", "error", err)
	}
}
