package sim

import (
	"context"
	"io"
	"sync"
)

// An aguiRun is a request to an AG-UI server, and the stream that answers it.
type aguiRun struct {
	*pipe // what the client has not read yet

	id   string
	ctx  context.Context //nolint:containedctx // it ends when the client closes the stream
	over chan struct{}   // closed when nothing follows

	mu   sync.Mutex
	torn bool
	done bool
}

// hears reports whether the agent can be told something about a turn. An AG-UI server can
// only be told that nobody listens to a run.
func (c *actor) hears(turn string) bool {
	if c.agent.Kind != aguiAgent {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.runs[turn] > 0
}

// watch cancels the turn if the client closes the stream before the end of the run.
func (t *turn) watch() {
	one := t.run
	t.count(1)
	go func() {
		defer t.count(-1)
		select {
		case <-one.over:
		case <-one.ctx.Done():
			one.cut()
			t.cancel("session/cancel")
		case <-t.actor.ctx.Done():
			one.cut()
		}
	}()
}

// count counts the turn's open runs.
func (t *turn) count(n int) {
	t.actor.mu.Lock()
	defer t.actor.mu.Unlock()
	t.actor.runs[t.token] += n
}

// finish ends the stream after what was written.
func (r *aguiRun) finish() {
	_ = r.pipe.Close() // never fails
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.done {
		r.done = true
		close(r.over)
	}
}

// crash ends the stream in the middle, noticeably if it is torn.
func (r *aguiRun) crash(torn bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.torn = torn
	r.cut()
}

// Read implements [io.Reader].
func (r *aguiRun) Read(into []byte) (int, error) {
	n, err := r.pipe.Read(into)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err == nil:
	case r.ctx.Err() != nil:
		err = r.ctx.Err()
	case r.torn:
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// Close implements [io.Closer] for the client. Its context ends too.
func (r *aguiRun) Close() error {
	r.cut()
	return nil
}
