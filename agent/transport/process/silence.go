package process

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/lint"
)

// silence is how long a child that has never printed anything may go on with that
// after its first prompt, before its author is told what the reason may be.
const silence = 7 * time.Second

// A voice is the output of a child, and knows whether there was any.
type voice struct {
	from  io.Reader
	heard atomic.Bool
}

// Read implements [io.Reader].
func (v *voice) Read(into []byte) (int, error) {
	n, err := v.from.Read(into)
	if n > 0 && !v.heard.Load() {
		v.heard.Store(true)
	}
	return n, err
}

// expectVoice says so if nothing comes of the child. It is called with its first
// prompt.
func (r *run) expectVoice() {
	timer := time.AfterFunc(silence, func() {
		if r.voice.heard.Load() || r.isOver() {
			return
		}
		f := lint.New("silent", "Nothing has come from the agent yet")
		r.backend.options.Log.Info("the agent has printed nothing since its first prompt", "rule", f.Rule, "help", f.Help)
		r.stream.Emit(&agent.Hint{Rule: f.Rule, Kind: f.Kind(), Message: f.Message, Help: f.Help})
	})
	go func() {
		<-r.over
		timer.Stop()
	}()
}
