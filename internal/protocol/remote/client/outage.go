package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// An outage knows which parts of a connection over HTTP can't reach the server: its
// streams, and its posts.
type outage struct {
	conn   *Conn
	resume Resume

	mu    sync.Mutex
	parts int
	since time.Time // when the first of them was lost

	net     context.Context // ends when all requests must be sent again
	dropNet context.CancelFunc
}

func newOutage(c *Conn, r Resume) *outage {
	if r.MaxPause == 0 {
		r.MaxPause = 2 * time.Second
	}
	o := &outage{conn: c, resume: r}
	o.net, o.dropNet = context.WithCancel(context.Background())
	return o
}

// network returns a context for requests. It ends when the network turns out to be dead.
func (o *outage) network() context.Context {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.net
}

// begin records that a part can't reach the server. The requests of all parts are then
// sent again, because the network may be dead for them too.
func (o *outage) begin(cause error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.parts++; o.parts > 1 {
		return
	}
	o.since = time.Now()
	o.dropNet()
	o.net, o.dropNet = context.WithCancel(context.Background())
	o.conn.http.CloseIdleConnections()
	o.conn.config.Log.Info("lost the server", "cause", cause)
	if o.resume.Lost != nil {
		o.resume.Lost(cause)
	}
}

// end records that a part reached the server again, or is no longer needed.
func (o *outage) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.parts--; o.parts == 0 && o.conn.ctx.Err() == nil && o.resume.Back != nil {
		o.resume.Back()
	}
}

// expired reports whether the outage lasts longer than its patience.
func (o *outage) expired() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.resume.Patience > 0 && time.Since(o.since) > o.resume.Patience
}

// Attempts are those of one part. They belong to one goroutine.
type attempts struct {
	*outage

	failed int
	pause  time.Duration
	lost   bool // the outage knows of it
	// share of a pause is added to half of it, so that the clients of a server that starts
	// again, and their parts, don't all come at once.
	share float64
}

func newAttempts(o *outage) *attempts { return &attempts{outage: o, share: fraction()} }

// reached is called when the server responds.
func (a *attempts) reached() {
	if a.lost {
		a.lost = false
		a.end()
	}
}

// worked is called when something arrived or was accepted.
func (a *attempts) worked() { a.failed, a.pause = 0, 0 }

// again waits until the next attempt, after a failure. It returns an error if there must
// be none.
func (a *attempts) again(ctx context.Context, cause error) error {
	a.failed++
	if a.failed == 1 && !errors.Is(cause, errSilent) {
		return nil // proxies end long requests now and then
	}
	if !a.lost {
		a.lost = true
		a.begin(cause)
	}
	if a.expired() {
		return fmt.Errorf("%w; the server could not be reached again for %s", cause, a.resume.Patience)
	}
	return a.wait(ctx)
}

// wait waits before the next attempt.
func (a *attempts) wait(ctx context.Context) error {
	a.pause = min(max(2*a.pause, firstPause), a.resume.MaxPause)
	select {
	case <-time.After(a.pause/2 + time.Duration(a.share*float64(a.pause))):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
