package workspace

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/tools"
)

// A turn runs one prompt.
type turn struct {
	session  *session
	id       string
	prompt   agent.Prompt
	floor    <-chan struct{} // closed when the turn may send events
	finished chan struct{}   // closed when the turn has sent its last event
	done     bool            // guarded by the session's mutex
	plan     plan

	// ctx ends with a cancel: work stops, and further events are dropped. life
	// ends when nothing receives events any more: then even the turn's end is
	// dropped.
	ctx    context.Context
	cancel context.CancelFunc
	life   context.Context
	die    context.CancelFunc
	silent atomic.Bool
}

func newTurn(s *session, p agent.Prompt, floor <-chan struct{}) *turn {
	t := &turn{session: s, id: p.TurnID, prompt: p, floor: floor, finished: make(chan struct{})}
	t.life, t.die = context.WithCancel(s.ctx)
	t.ctx, t.cancel = context.WithCancel(t.life)
	return t
}

// silence ensures that no further event of the turn is seen, not even one that
// was received but not read yet.
func (t *turn) silence() {
	t.silent.Store(true)
	t.die()
}

// An eventBatch is a batch of events. It becomes empty when its turn is
// silenced.
type eventBatch struct {
	events []agent.Event
	turn   *turn
}

// Events yields the events.
func (b eventBatch) Events() iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		for _, e := range b.events {
			if b.turn.silent.Load() || !yield(e) {
				return
			}
		}
	}
}

// Release does nothing: the garbage collector frees the events.
func (eventBatch) Release() {}

// Context implements [tools.Turn].
func (t *turn) Context() context.Context { return t.ctx }

// Life implements [tools.Turn].
func (t *turn) Life() context.Context { return t.life }

// emit sends events that belong together, unless the turn is cancelled.
func (t *turn) emit(events ...agent.Event) { t.Send(t.ctx, events...) }

// conclude sends e even in a cancelled turn: what was started must be ended.
func (t *turn) conclude(e agent.Event) { t.Send(t.life, e) }

// Send implements [tools.Turn].
func (t *turn) Send(ctx context.Context, events ...agent.Event) bool {
	if ctx.Err() != nil {
		return false
	}
	for _, e := range events {
		e.Common().TurnID = t.id
	}
	select {
	case t.session.events <- eventBatch{events, t}:
		return true
	case <-ctx.Done():
		return false
	}
}

// run is the turn's goroutine.
func (t *turn) run() {
	defer close(t.finished)
	defer t.die()
	select {
	case <-t.floor:
	case <-t.life.Done():
		return
	}
	t.work()
	t.session.finish(t)
	done := &agent.Done{StopReason: agent.StopEndTurn}
	if t.ctx.Err() != nil {
		done.StopReason = agent.StopCancelled
	}
	t.conclude(done)
}

// work runs everything that the prompt asks for.
func (t *turn) work() {
	typed, attached := typedText(t.prompt)
	if title := titleOf(typed); title != "" && t.session.firstPrompt() {
		t.emit(&agent.SessionTitle{Title: title})
	}
	steps := parse(typed)
	if len(steps) == 0 {
		t.overview(attached)
		t.sayWhole("Done: nothing was changed.")
		return
	}
	var count tally
	for _, s := range steps {
		if t.ctx.Err() != nil {
			return
		}
		_, planning := s.(planStep)
		if !planning {
			t.plan.begin(t)
		}
		count.add(s.run(t))
		if !planning {
			t.plan.advance(t)
		}
	}
	t.plan.complete(t)
	t.sayText(count.String())
}

// An outcome is the result of a step.
type outcome int

const (
	succeeded outcome = iota
	failed
	refused
)

// A tally counts outcomes.
type tally struct{ steps, refused, failed int }

func (c *tally) add(o outcome) {
	c.steps++
	switch o {
	case refused:
		c.refused++
	case failed:
		c.failed++
	}
}

// String returns the last line of a turn.
func (c *tally) String() string {
	var b strings.Builder
	b.WriteString("All done: " + tools.Plural(c.steps, "step"))
	if c.refused > 0 {
		fmt.Fprintf(&b, ", %d refused", c.refused)
	}
	if c.failed > 0 {
		fmt.Fprintf(&b, ", %d failed", c.failed)
	}
	return b.String() + "."
}
