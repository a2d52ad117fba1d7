package events

import (
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
)

// outputPause bounds how long output is held back when too little was added to send it
// again.
const outputPause = 150 * time.Millisecond

// A stream turns the agent's events, and our own notices, into the steps that a session
// shows. It belongs to the session's goroutine.
type stream struct {
	normalizer *normalize.Normalizer
	joiner     normalize.Joiner
	snapshots  *snapshots
	terminal   func(id string) error // returns nil if the agent owns the terminal
	step       func(normalize.Step)  // bound once: the hot path must not allocate closures
	flushAt    time.Time             // when to show output that is held back
}

func newStream(normalizer *normalize.Normalizer, snapshots *snapshots, terminal func(string) error, step func(normalize.Step)) *stream {
	st := &stream{normalizer: normalizer, snapshots: snapshots, terminal: terminal, step: step}
	normalizer.Watch(snapshots)
	normalizer.Terminals(terminal)
	return st
}

func (st *stream) add(e agent.Event) { st.normalizer.Add(e, st.step) }

// addBatch adds a batch's events until stopped returns true, and releases the batch.
func (st *stream) addBatch(b agent.Batch, stopped func() bool) {
	for e := range st.joiner.Join(b.Events()) {
		if stopped() {
			break
		}
		st.add(e)
	}
	b.Release()
}

// notice adds one of our own notices, unless it is nil.
func (st *stream) notice(n *agent.Notice) {
	if n != nil {
		st.add(n)
	}
}

// begin starts a turn.
func (st *stream) begin(turnID string) { st.normalizer.Begin(turnID) }

// fail ends the turn with an error.
func (st *stream) fail(e *agent.Error) { st.normalizer.Fail(e, st.step) }

// cancel ends the turn without the agent.
func (st *stream) cancel() { st.normalizer.Cancel(st.step) }

// forget drops the file snapshots of a call.
func (st *stream) forget(t *normalize.Tool) { st.snapshots.forget(t) }

// end drops the file snapshots of all calls at the end of a turn.
func (st *stream) end() { st.snapshots.forgetAll() }

// flush shows the output that is held back.
func (st *stream) flush() { st.normalizer.Flush(st.step) }

// flushDue shows output that was held back long enough.
func (st *stream) flushDue() {
	if !st.flushAt.IsZero() && !time.Now().Before(st.flushAt) {
		st.flush()
	}
}

// deadline returns when to call flushDue, or the zero time if nothing is held back.
func (st *stream) deadline() time.Time {
	switch waiting := st.normalizer.Waiting(); {
	case !waiting:
		st.flushAt = time.Time{}
	case st.flushAt.IsZero():
		st.flushAt = time.Now().Add(outputPause)
	}
	return st.flushAt
}

// replay calls f with the normalizer in a mode for past events. It takes no file
// snapshots, and knows no terminals.
func (st *stream) replay(f func(*normalize.Normalizer) error) error {
	st.normalizer.Watch(nil)
	defer st.normalizer.Watch(st.snapshots)
	st.normalizer.Terminals(nil)
	defer st.normalizer.Terminals(st.terminal)
	return f(st.normalizer)
}
