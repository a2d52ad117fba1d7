package relay

import (
	"slices"
	"sync/atomic"
)

// A turn is the running turn of a session: the prompts that the agent works on, what
// waits for its end, and whether it is cancelled. The relay's mutex guards it, but for
// gate.
type turn struct {
	prompts   []*request    // not answered to the client
	cancelled chan struct{} // closed by a cancel; made with the first of prompts
	queue     []*request    // wait until the session can take them
	// stale counts the prompts that the relay has answered, and the agent has not.
	stale int
	gate  atomic.Bool // set while stale is not 0: nothing of that turn passes
}

// begin notes that a prompt is on its way.
func (t *turn) begin(q *request) {
	if len(t.prompts) == 0 {
		t.cancelled = make(chan struct{})
	}
	t.prompts = append(t.prompts, q)
}

// isRunning reports whether the client waits for the answer to a prompt.
func (t *turn) isRunning() bool { return len(t.prompts) > 0 }

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

// isOver reports whether the turn is over for the client, while the agent may still be
// at work in it: nothing that is asked now can be permitted.
func (t *turn) isOver() bool { return t.stale > 0 || t.isCancelled() }

// remove takes a request that is answered out of the turn.
func (t *turn) remove(q *request) {
	t.prompts = without(t.prompts, q)
	t.queue = without(t.queue, q)
}

// retry puts a prompt that the agent has not taken back at the head of the queue.
func (t *turn) retry(q *request) {
	t.prompts = without(t.prompts, q)
	t.queue = slices.Insert(t.queue, 0, q)
}

// unsent returns the prompts that the agent has not been given.
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

// abandon returns the prompts, which are answered from now on in the agent's place. Its
// own answers are awaited in silence.
func (t *turn) abandon() []*request {
	for _, q := range t.prompts {
		q.abandoned = true
		t.stale++
	}
	return slices.Clone(t.prompts)
}

// settled notes that the agent has answered an abandoned prompt, and reports whether it
// was the last one.
func (t *turn) settled() bool {
	if t.stale--; t.stale > 0 {
		return false
	}
	t.gate.Store(false)
	return true
}

// lost notes that the agent has ended, and answers nothing more.
func (t *turn) lost() {
	t.stale = 0
	t.gate.Store(false)
}

// takeQueue returns what has waited.
func (t *turn) takeQueue() []*request {
	queue := t.queue
	t.queue = nil
	return queue
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
