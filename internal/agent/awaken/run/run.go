package run

import (
	"context"
	"net/url"
	"slices"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/requests"
)

// A Run is the run of a turn. With an older server, it may be several consecutive ones.
type Run struct {
	State    *wire.State // for the decoder
	Requests requests.Book

	processed map[string]bool // ids of the thread's messages that were processed

	mu        sync.Mutex
	now       wire.Run // as of the last event
	wanted    bool     // the run must be cancelled
	cancelled bool     // the server is being told
}

// New returns a run in a thread, which is "" until the server has named it. Decisions are
// deferred: a current server accepts them when the run is suspended, and they are sent when
// the events after them are being read.
func New(thread string) *Run {
	r := &Run{processed: make(map[string]bool)}
	r.Requests.Defer(true)
	r.State = wire.NewState(wire.Run{Thread: thread}, r.set)
	return r
}

// Now returns the run's state as of the last event.
func (r *Run) Now() wire.Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

// set records the run's state. An older server accepts decisions while the run works. Once it
// is suspended, they start the next run.
func (r *Run) set(now wire.Run) {
	r.mu.Lock()
	before := r.now
	r.now = now
	r.mu.Unlock()
	for _, s := range now.Waiting {
		r.Requests.Add(requestFor(s))
	}
	for _, s := range before.Waiting {
		if !slices.ContainsFunc(now.Waiting, func(o wire.Suspension) bool { return o.ID == s.ID }) {
			r.Requests.Settle(requestFor(s))
		}
	}
	if now.Older {
		r.Requests.Defer(now.Phase == wire.Suspended)
	}
}

func requestFor(s wire.Suspension) requests.Request {
	return requests.Request{ID: s.ID, Call: s.CallID, Question: !s.Permission}
}

// Answer answers a question. An invalid answer cancels the call, which must not wait
// forever.
func (r *Run) Answer(ctx context.Context, response agent.QuestionResponse, send requests.Send) error {
	s, _ := r.Now().Find(response.QuestionID)
	_, invalid := s.Answer.Value(response)
	if invalid != nil {
		response = response.Refused()
	}
	err := r.Requests.Answer(ctx, response, send)
	if invalid != nil {
		return invalid
	}
	return err
}

// Path returns the path of something that belongs to the run.
func (r *Run) Path(rest string) string { return "/v1/runs/" + url.PathEscape(r.Now().ID) + rest }

// Cancel returns the path that cancels the run, once. It returns "" if that must wait until
// the run has begun. If the client leaves, it can't wait: the thread is cancelled.
func (r *Run) Cancel(leaving bool) (path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wanted = true
	switch {
	case r.cancelled:
		return ""
	case r.now.ID != "":
		path = "/v1/runs/" + url.PathEscape(r.now.ID) + "/cancel"
	case leaving && r.now.Thread != "":
		path = "/v1/threads/" + url.PathEscape(r.now.Thread) + "/cancel"
	}
	r.cancelled = path != ""
	return path
}

// CancelDue reports whether a cancel had to wait until now.
func (r *Run) CancelDue() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wanted && !r.cancelled && r.now.ID != ""
}
