package process

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/transport/child"
)

// tellGrace is how long a child that is stopped may take to read what it was
// told before.
const tellGrace = 100 * time.Millisecond

// reasonAbandoned is why what is asked in an abandoned turn is refused.
const reasonAbandoned = "the turn was cancelled, and is not waited for any more"

// CodeNotStarted is the code of the error that says that the command could not
// be started again.
const CodeNotStarted = "agent_start_failed"

// CodeExited is the code of the error that says that the command has ended.
const CodeExited = "agent_exited"

// A run is the life of one child.
type run struct {
	session  *session
	child    *child.Child  // set by start; see ready
	started  chan struct{} // closed when there is a child, or will be none
	commands *queue
	gate     *gate
	lent     *loan         // what was handed over last; used by serve alone
	silent   chan struct{} // closed when nothing of the run matters any more
	silenced sync.Once
	written  chan struct{} // closed when nothing more is written to the child

	mu    sync.Mutex
	turn  string // of the last prompt
	phase phase
}

type phase uint8

const (
	serving   phase = iota
	abandoned       // the turn may still run, unheard
	rested          // the abandoned turn has ended: the child is of use again
	over            // its stdout has ended: there is nothing more to come
)

func newRun(s *session, turn string) *run {
	return &run{
		session:  s,
		commands: newQueue(),
		gate:     newGate(),
		silent:   make(chan struct{}),
		started:  make(chan struct{}),
		written:  make(chan struct{}),
		turn:     turn,
	}
}

// tell gives the child a line. A child that asks without end and reads nothing
// is killed: memory would be the only bound.
func (r *run) tell(l line) {
	if r.commands.put(l) {
		return
	}
	r.session.options.Log.Error("the agent does not read what it is told", "lines", maxQueued)
	if r.isStarted() {
		r.child.Kill()
	}
}

// hangUp has the child told what is left to tell, unless it does not read.
func (r *run) hangUp(ctx context.Context) {
	r.commands.finish()
	timer := time.NewTimer(tellGrace)
	defer timer.Stop()
	select {
	case <-r.written:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// abandon drops what is left of a turn, unless it is not the last one.
func (r *run) abandon(turn string) {
	r.mu.Lock()
	if r.turn != turn {
		r.mu.Unlock()
		return
	}
	r.phase = max(r.phase, abandoned)
	r.mu.Unlock()
	r.gate.shut()
}

func (r *run) abandonedTurn() (turn string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.turn, r.phase == abandoned
}

// rest says that an abandoned turn has ended, unless another one has begun.
func (r *run) rest(turn string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase == abandoned && r.turn == turn {
		r.phase = rested
	}
}

func (r *run) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.phase = over
}

// resume gives the child one more prompt. It refuses where the child has ended
// or may still be busy with an abandoned turn.
func (r *run) resume(turn string, line line) bool {
	if !r.isStarted() {
		return false
	}
	select {
	case <-r.child.Done():
		return false
	default:
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.listens() {
		return false
	}
	r.turn = turn
	r.tell(line)
	return true
}

// configure gives the child a choice. It refuses where nobody would hear what
// the child says to it.
func (r *run) configure(line line) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.listens() {
		return false
	}
	r.tell(line)
	return true
}

// listens tells whether the child is of use, and has it heard again where it
// was not. The caller holds mu.
func (r *run) listens() bool {
	switch r.phase {
	case abandoned, over:
		return false
	case rested:
		r.phase = serving
		r.gate.open()
	}
	return true
}

// obituary is the event that says that the child has ended. It leaves out the
// arguments, which may hold what is nobody else's business.
func (r *run) obituary(status child.ExitStatus) *agent.Error {
	text := fmt.Sprintf("the agent `%s` exited (%s) in the middle of a turn",
		r.session.config.Args[0], status)
	if tail := r.child.StderrTail(); tail != "" {
		text += "; the end of its stderr: " + tail
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return &agent.Error{Error: text, Code: CodeExited, Base: agent.Base{TurnID: r.turn}}
}
