package events

import (
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
)

// outputPause bounds how long output is held back because too little was added to send
// it again.
const outputPause = 150 * time.Millisecond

// A stream turns the agent's events, and notices of ours, into the steps that a session
// shows. It belongs to the session's goroutine.
type stream struct {
	normalizer *normalize.Normalizer
	joiner     normalize.Joiner
	looks      *looks
	terminal   func(id string) error // reports whether the agent has a terminal
	step       func(normalize.Step)  // bound once: the hot path must not allocate closures
	flushAt    time.Time             // when to show output that is held back
}

func newStream(normalizer *normalize.Normalizer, looks *looks, terminal func(string) error, step func(normalize.Step)) *stream {
	st := &stream{normalizer: normalizer, looks: looks, terminal: terminal, step: step}
	normalizer.Watch(looks)
	normalizer.Terminals(terminal)
	return st
}

// add adds an event.
func (st *stream) add(e agent.Event) { st.normalizer.Add(e, st.step) }

// addBatch adds the events of a batch until stopped, and releases it.
func (st *stream) addBatch(b agent.Batch, stopped func() bool) {
	for e := range st.joiner.Join(b.Events()) {
		if stopped() {
			break
		}
		st.add(e)
	}
	b.Release()
}

// notice adds a notice of ours; nil is none.
func (st *stream) notice(n *agent.Notice) {
	if n != nil {
		st.add(n)
	}
}

// begin begins a turn.
func (st *stream) begin(turnID string) { st.normalizer.Begin(turnID) }

// fail ends the turn with an error.
func (st *stream) fail(e *agent.Error) { st.normalizer.Fail(e, st.step) }

// cancel ends the turn without the agent.
func (st *stream) cancel() { st.normalizer.Cancel(st.step) }

// forget forgets the files of a call.
func (st *stream) forget(t *normalize.Tool) { st.looks.forget(t) }

// end forgets the files of all calls, because a turn has ended.
func (st *stream) end() { st.looks.forgetAll() }

// flush shows the output that is held back.
func (st *stream) flush() { st.normalizer.Flush(st.step) }

// flushDue shows the output that was held back for long enough.
func (st *stream) flushDue() {
	if !st.flushAt.IsZero() && !time.Now().Before(st.flushAt) {
		st.flush()
	}
}

// deadline returns when to call flushDue, or zero.
func (st *stream) deadline() time.Time {
	switch waiting := st.normalizer.Waiting(); {
	case !waiting:
		st.flushAt = time.Time{}
	case st.flushAt.IsZero():
		st.flushAt = time.Now().Add(outputPause)
	}
	return st.flushAt
}

// replay calls f with the normalizer, for events of the past: the files are what they
// are now, and the terminals are gone.
func (st *stream) replay(f func(*normalize.Normalizer) error) error {
	st.normalizer.Watch(nil)
	defer st.normalizer.Watch(st.looks)
	st.normalizer.Terminals(nil)
	defer st.normalizer.Terminals(st.terminal)
	return f(st.normalizer)
}
