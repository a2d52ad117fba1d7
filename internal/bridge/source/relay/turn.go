package relay

import (
	"slices"
	"sync/atomic"
)

// A turn is a session's running turn: the prompts that the agent works on, the requests
// that wait for its end, and whether it is cancelled. The relay's mutex guards it,
// except for gate.
type turn struct {
	prompts   []*request    // not answered to the client
	cancelled chan struct{} // closed by a cancel; made with the first of prompts
	queue     []*request    // requests that wait until the session can take them
	// trails is set from the first prompt until the agent repeats a user's message between turns:
	// what else it says between turns may belong to the last one.
	trails bool
	echoes []*echo // of the prompts that the agent may still repeat
	// stale counts the prompts that the relay answered, but the agent has not.
	stale int
	gate  atomic.Bool // set while stale is not 0: nothing of that turn passes
}

// begin adds a prompt that is about to be sent.
func (t *turn) begin(q *request) {
	t.expectEcho(q)
	if len(t.prompts) == 0 {
		t.cancelled = make(chan struct{})
	}
	t.prompts = append(t.prompts, q)
	t.trails = true
}

// isRunning reports whether the client waits for a prompt's response.
func (t *turn) isRunning() bool { return len(t.prompts) > 0 }

// isOnly reports whether the agent works on no other prompt than q.
func (t *turn) isOnly(q *request) bool {
	return t.stale == 0 && !slices.ContainsFunc(t.prompts, func(other *request) bool { return other != q })
}

// isCancelled reports whether the running turn is cancelled.
func (t *turn) isCancelled() bool {
	if !t.isRunning() {
		return false
	}
	select {
	case <-t.cancelled:
		return true
	default:
		return false
	}
}

// isOver reports whether the turn is over for the client, although the agent may still
// work on it. Requests are then refused.
func (t *turn) isOver() bool { return t.stale > 0 || t.isCancelled() }

// remove removes an answered request from the turn.
func (t *turn) remove(q *request) {
	t.prompts = without(t.prompts, q)
	t.queue = without(t.queue, q)
}

// retry puts a prompt that the agent did not handle back at the head of the queue.
func (t *turn) retry(q *request) {
	t.prompts = without(t.prompts, q)
	t.queue = slices.Insert(t.queue, 0, q)
}

// unsent returns the prompts that were not sent to the agent.
func (t *turn) unsent() (list []*request) {
	for _, q := range t.queue {
		if q.isPrompt() {
			list = append(list, q)
		}
	}
	for _, q := range t.prompts {
		if !q.sent {
			list = append(list, q)
		}
	}
	return list
}

// abandon marks the prompts as abandoned and returns them. The caller answers them, and
// the agent's own responses will be dropped.
func (t *turn) abandon() []*request {
	for _, q := range t.prompts {
		q.abandoned = true
		t.stale++
	}
	return slices.Clone(t.prompts)
}

// settled records the agent's response to an abandoned prompt, and reports whether it
// was the last one.
func (t *turn) settled() bool {
	if t.stale--; t.stale > 0 {
		return false
	}
	t.gate.Store(false)
	return true
}

// lost records that the agent has ended and will answer nothing more.
func (t *turn) lost() {
	t.stale = 0
	t.gate.Store(false)
}

// takeQueue returns the queued requests and clears the queue.
func (t *turn) takeQueue() []*request {
	queue := t.queue
	t.queue = nil
	return queue
}

// takeReopening removes and returns the first queued request that opens the session again, and
// those behind it.
func (t *turn) takeReopening() (list []*request) {
	if i := slices.IndexFunc(t.queue, (*request).opensSaved); i >= 0 {
		list, t.queue = t.queue[i:], t.queue[:i:i]
	}
	return list
}

// without returns list without q.
func without(list []*request, q *request) []*request {
	for i, other := range list {
		if other == q {
			return append(list[:i:i], list[i+1:]...)
		}
	}
	return list
}
