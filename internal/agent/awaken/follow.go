package awaken

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/awaken/run"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/reconnect"
)

// slowest is the maximum time between two reads of a run's record.
const slowest = 2 * time.Second

// follow reads the run's events from the event store until the run ends. cause
// is why the first stream did not suffice.
func (x *exchange) follow(ctx context.Context, cause error) error {
	if x.run.Now().Phase != wire.Suspended {
		within, stop := context.WithCancel(ctx)
		var silence sync.WaitGroup
		silence.Go(func() { x.noteSilence(within) })
		defer silence.Wait()
		defer stop()
	}
	return x.pace.waits.Retry(ctx, func() (reconnect.Outcome, error) {
		from := x.cursor
		told, err := x.watched(ctx)
		outcome := reconnect.OutcomeOf(err)
		switch {
		case x.over():
			return reconnect.Final, nil
		case httpsse.HasStatus(err, http.StatusGone): // the cursor is too old
			x.cursor, outcome = "", reconnect.Broken
		case httpsse.HasStatus(err, http.StatusNotFound):
			return reconnect.Final, x.poll(ctx, cause)
		case told || outcome != reconnect.Final && x.cursor != from && x.cursor != "":
			outcome = reconnect.Advanced
		}
		if err != nil {
			x.log.Info("the stream of a run was interrupted", "error", err)
		}
		return outcome, err
	})
}

// noteSilence tells the user if a run is silent after its stream broke off. A
// restarted server has forgotten the run, and does not say so.
func (x *exchange) noteSilence(ctx context.Context) {
	before := x.taken.Load()
	if reconnect.Sleep(ctx, x.pace.silence) && x.taken.Load() == before {
		x.turn.Emit(&agent.Notice{
			Severity: "warning", Message: "The run's stream was interrupted, and nothing has arrived since. If Awaken's server was restarted, the run is lost: cancel it and ask again.",
		})
	}
}

// watched reads the run's events while polling its record. A server whose store
// keeps no text, or commits a run's last facts with the next run, never reports
// the end through events. told is true if the record reported something that
// the events did not.
func (x *exchange) watched(ctx context.Context) (told bool, err error) {
	within, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	var changed bool
	watch.Go(func() { changed = x.watch(within, stop) })
	err = x.once(within)
	stop()
	watch.Wait()
	if !changed || x.over() || ctx.Err() != nil {
		return false, err
	}
	err = x.tell(ctx)
	return err == nil, err
}

// watch polls the run's record until it twice contains something that the events
// did not report. Then it stops the reading of events.
func (x *exchange) watch(ctx context.Context, stop func()) (changed bool) {
	for delay := x.pace.interval; reconnect.Sleep(ctx, delay); delay = min(2*delay, slowest) {
		rec, err := x.record(ctx)
		switch {
		case err != nil && httpsse.IsPermanent(err):
			return false
		case err != nil || !x.run.IsNews(rec):
			changed = false
		case changed: // still not reported by the events
			stop()
			return true
		default:
			changed, delay = true, x.pace.interval/2
		}
	}
	return false
}

// once reads the events after the cursor, until the stream ends. Without a
// cursor, a stream begins with new events, so once requests the earlier ones
// first.
func (x *exchange) once(ctx context.Context) error {
	if x.cursor == "" {
		x.run.State.Rewind()
		for p, err := range x.pages(ctx, x.run.Path("/events?limit=200")) {
			if err != nil {
				return err
			}
			for _, item := range p.Items {
				if !x.handle(ctx, item) {
					return nil
				}
				x.cursor = cmp.Or(x.run.State.Cursor(), x.cursor)
			}
		}
	}
	events, err := x.client.Stream(ctx, http.MethodGet, x.run.Path("/events/stream"), nil, x.cursor)
	if err != nil {
		return err
	}
	x.release(ctx)
	return x.read(ctx, events, true)
}

// poll follows a run through its record and its thread alone, because the
// server stores no events. cause is why the first stream did not suffice.
func (x *exchange) poll(ctx context.Context, cause error) error {
	wasSuspended := x.run.Now().Phase == wire.Suspended
	delay := x.pace.interval
	return x.pace.waits.Retry(ctx, func() (reconnect.Outcome, error) {
		before := x.run.Processed()
		err := x.tell(ctx)
		switch {
		case x.over():
			return reconnect.Final, nil
		case httpsse.HasStatus(err, http.StatusNotFound):
			return reconnect.Final, unwired(x.client.URL(), wasSuspended, cause)
		case err != nil:
			return reconnect.OutcomeOf(err), err
		}
		x.release(ctx)
		if x.run.Processed() != before {
			delay = x.pace.interval
		}
		reconnect.Sleep(ctx, delay)
		delay = min(2*delay, slowest)
		return reconnect.Advanced, nil
	})
}

// tell emits what the run's record and its thread contain beyond the events.
func (x *exchange) tell(ctx context.Context) error {
	rec, err := x.record(ctx)
	if err != nil {
		return err
	}
	now := x.run.Now()
	var thread []run.Message
	for p, err := range x.pages(ctx, "/v1/threads/"+url.PathEscape(now.Thread)+"/messages?limit=200&runId="+url.QueryEscape(now.ID)) {
		if err != nil {
			return err
		}
		thread = append(thread, p.Messages...)
	}
	for line := range x.run.Tell(rec, thread) {
		if !x.handle(ctx, line) {
			break
		}
	}
	return nil
}

// record fetches the run's record.
func (x *exchange) record(ctx context.Context) (*run.Record, error) {
	rec := new(run.Record)
	err := x.client.Call(ctx, http.MethodGet, x.run.Path(""), nil, rec)
	if err == nil && rec.Status == "" {
		err = errNoStatus
	}
	return rec, err
}

// A page is a part of the list of a run's facts, or of its messages.
type page struct {
	Items    []json.RawMessage `json:"items"`
	Messages []run.Message     `json:"messages"`
	Next     string            `json:"next_cursor"`
	More     bool              `json:"has_more"`
}

// pages yields the pages of a list, until one fails. path has a query.
func (b *backend) pages(ctx context.Context, path string) iter.Seq2[page, error] {
	return func(yield func(page, error) bool) {
		for cursor := ""; ; {
			at := path
			if cursor != "" {
				at += "&cursor=" + url.QueryEscape(cursor)
			}
			var p page
			err := b.client.Call(ctx, http.MethodGet, at, nil, &p)
			if !yield(p, err) || err != nil || !p.More || p.Next == "" || p.Next == cursor {
				return
			}
			cursor = p.Next
		}
	}
}
