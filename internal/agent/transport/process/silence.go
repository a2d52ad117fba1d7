package process

import (
	"cmp"
	"io"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// DefaultSilence is how long a command may print nothing after its first prompt
// before the user gets a hint.
const DefaultSilence = 2200 * time.Millisecond

// A voice is a child's output. It records whether there was any, and the end of
// it.
type voice struct {
	from     io.Reader
	received atomic.Bool
	end      outputEnd // belongs to the reader
}

// Read implements [io.Reader].
func (v *voice) Read(into []byte) (int, error) {
	n, err := v.from.Read(into)
	if n > 0 && !v.received.Load() {
		v.received.Store(true)
	}
	v.end.add(into[:n])
	return n, err
}

// Readable implements [dialect.Waiter].
func (v *voice) Readable() bool {
	w, ok := v.from.(dialect.Waiter)
	if !ok || !w.Readable() {
		return false
	}
	v.received.Store(true) // the session reads it when it has time
	return true
}

// whenSilent calls tell after a delay, unless output has arrived or over is closed
// by then.
func (v *voice) whenSilent(after time.Duration, ended <-chan struct{}, tell func()) {
	time.AfterFunc(after, func() {
		select {
		case <-ended:
		default:
			if !v.received.Load() {
				tell()
			}
		}
	})
}

// expectVoice emits a hint if the child prints nothing. It is called with its
// first prompt.
func (r *run) expectVoice() {
	r.voice.whenSilent(cmp.Or(r.backend.config.Silence, DefaultSilence), r.eof, func() {
		f, ok := r.misuse()
		if !ok {
			f = lint.New(lint.Silent, "The agent has printed nothing yet")
		}
		r.backend.options.Log.Info("the agent has printed nothing since its first prompt", "rule", f.Rule, "message", f.Message, "help", f.Help)
		r.stream.Emit(&agent.Hint{Rule: f.Rule, Kind: f.Kind(), Message: f.Message, Help: f.Help})
	})
}

// misuse explains why a child that has printed no event is probably run in the wrong
// way. ok is false if nothing points to that.
func (r *run) misuse() (_ lint.Finding, ok bool) {
	if f := r.backend.config.Misuse; f != nil {
		return *f, true
	}
	return lint.Stderr(r.child.StderrTail())
}
