package awaken

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/awaken/run"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/agent/transport/requests"
)

// An exchange is a running turn. It reads the events of its run from whichever
// source has them next.
type exchange struct {
	*backend
	turn    *lifecycle.Turn
	run     *run.Run
	decoder dialect.Decoder
	cursor  string       // of the last fact that was read
	done    bool         // nobody receives events any more
	begun   bool         // there may be a run
	taken   atomic.Int64 // number of lines so far
}

func newExchange(b *backend, t *lifecycle.Turn) *exchange {
	r := run.New(b.thread)
	return &exchange{backend: b, turn: t, run: r, decoder: wire.NewDecoder(r.State)}
}

// work runs the turn.
func (x *exchange) work(ctx context.Context) error {
	body := map[string]any{
		"agentId":  x.agentID,
		"messages": []any{map[string]any{"role": "user", "content": x.turn.Prompt.Text}},
	}
	for {
		if x.thread != "" {
			body["threadId"] = x.thread
		}
		events, err := x.start(ctx, body)
		if err != nil {
			// If the wait was interrupted, a run may have started; if the request
			// was refused, none has.
			x.begun = x.begun || ctx.Err() != nil
			return err
		}
		x.begun = true
		err = x.read(ctx, events, false)
		now := x.run.Now()
		switch {
		case x.over() || ctx.Err() != nil:
			return ctx.Err()
		case now.ID == "":
			return err
		case !now.Older:
			return x.follow(ctx, err)
		case now.Phase != wire.Suspended:
			return err // an older server stores no events
		}
		// An older server continues a suspended run whose stream has ended as a
		// new run, which is started with the decisions.
		within, end := x.turn.UntilCancelled(ctx)
		answers, err := x.run.Requests.Await(within, len(now.Waiting))
		end()
		if err != nil {
			return err
		}
		x.run.State.Expect()
		body["messages"], body["decisions"] = []any{}, x.inputs(answers...)
	}
}

// start starts a run. After a cancel of the turn, it does not start a run that
// continues with decisions.
func (x *exchange) start(ctx context.Context, body map[string]any) (*httpsse.Stream, error) {
	if body["decisions"] == nil {
		return x.client.Stream(ctx, http.MethodPost, "/v1/runs", body, "")
	}
	starting, end := x.turn.UntilCancelled(ctx)
	defer end()
	if starting.Err() != nil {
		return nil, starting.Err()
	}
	within, stop := context.WithCancel(ctx)
	defer context.AfterFunc(starting, stop)()
	events, err := x.client.Stream(within, http.MethodPost, "/v1/runs", body, "")
	if err != nil {
		stop()
	}
	return events, err
}

// inputs returns the decisions for an older server.
func (x *exchange) inputs(answers ...requests.Answer) []any {
	list := []any{}
	for _, a := range answers {
		if d, ok := x.run.Decision(a); ok {
			list = append(list, d.OlderBody(rand.Text(), time.Now().UnixMilli()))
		}
	}
	return list
}

// over reports whether the turn needs no more events.
func (x *exchange) over() bool { return x.done || x.run.Now().Phase == wire.Ended }

// read handles a stream's events until the run ends. It returns an error if the stream ends
// first. Only events from the store have a cursor as their id.
func (x *exchange) read(ctx context.Context, events *httpsse.Stream, stored bool) error {
	defer events.Close()
	for event, err := range events.All() {
		switch {
		case err != nil:
			return err
		case event.Type == "error":
			return storeError(x.client.URL(), event.Data)
		case !x.handle(ctx, []byte(event.Data)):
			return nil
		case stored && event.ID != "":
			x.cursor = event.ID
		}
	}
	return &httpsse.CutOffError{URL: x.client.URL()}
}

// handle hands over one event. It returns false if no more events are needed.
func (x *exchange) handle(ctx context.Context, line []byte) bool {
	x.taken.Add(1)
	x.done = !x.turn.Decode(x.decoder, line)
	x.thread = cmp.Or(x.thread, x.run.Now().Thread)
	if x.over() {
		return false // after the end of a turn, nothing more may be emitted
	}
	x.turn.Keep(x.thread)
	if x.run.CancelDue() {
		if err := x.cancel(ctx, false); err != nil {
			x.turn.Report(err)
		}
	}
	return true
}
