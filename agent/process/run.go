package process

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/child"
	"github.com/turnwire/turnwire/agent/dialect"
)

// tellGrace is how long a child that is stopped may take to read what it was
// told before.
const tellGrace = 100 * time.Millisecond

// reasonAbandoned is why what is asked in an abandoned turn is refused.
const reasonAbandoned = "the turn was cancelled, and is not waited for any more"

// CodeExited is the code of the error that says that the command has ended.
const CodeExited = "agent_exited"

// A run is the life of one child.
type run struct {
	session  *session
	child    *child.Child // set by start
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
		written:  make(chan struct{}),
		turn:     turn,
	}
}

// start starts the child and all that serves it.
func (r *run) start() error {
	s := r.session
	c, err := child.Start(child.Spec{
		Args:  s.config.Args,
		Dir:   s.options.Cwd,
		Env:   s.config.Env,
		Stdin: true,
		Log:   s.options.Log,
	})
	if err != nil {
		return err
	}
	r.child = c
	s.runs.Go(r.serve)
	s.runs.Go(func() {
		defer close(r.written)
		if err := r.commands.writeTo(c.Stdin()); err != nil {
			s.options.Log.Debug("the agent's stdin is closed", "error", err)
		}
	})
	return nil
}

// serve hands over what the child prints, and says when it has ended.
func (r *run) serve() {
	s := r.session
	// The run ends with its child, so there is nothing else to end it.
	err := dialect.Each(context.Background(), r.child.Stdout(), s.config.Dialect.NewDecoder(), s.options.Log, func(b agent.Batch) bool {
		r.hand(b)
		return true
	})
	if err != nil {
		s.options.Log.Warn("cannot read from the agent", "error", err)
	}
	r.end()
	// A child that lives on without its stdout can say nothing more.
	status := r.child.Stop(context.Background())
	r.commands.drop()
	r.gate.pass(agent.One{Event: r.obituary(status)}, s.events)
	r.child.Close()
}

// hand hands b over, or drops it where the turn was abandoned.
func (r *run) hand(b agent.Batch) {
	l := &loan{Batch: b, back: make(chan struct{})}
	if r.gate.pass(l, r.session.events) {
		r.lent = l
		return
	}
	if turn, unheard := r.abandonedTurn(); unheard && r.decodable() && r.ends(turn, b) {
		r.rest(turn)
	}
	b.Release()
}

// decodable waits until the last batch has come back, for all share a decoder.
// It tells whether looking into a batch is of use.
func (r *run) decodable() bool {
	if r.lent != nil {
		select {
		case <-r.lent.back:
		case <-r.silent:
		}
	}
	select {
	case <-r.silent:
		return false
	default:
		return true
	}
}

// tell gives the child a line. A child that asks without end and reads nothing
// is killed: memory would be the only bound.
func (r *run) tell(l line) {
	if !r.commands.put(l) {
		r.session.options.Log.Error("the agent does not read what it is told", "lines", maxQueued)
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

// ends reports whether turn ends in b. What is asked there nobody hears, and so
// it is refused.
func (r *run) ends(turn string, b agent.Batch) bool {
	for e := range b.Events() {
		switch e := e.(type) {
		case *agent.ConfirmationRequested:
			r.session.Confirm(agent.ConfirmationResponse{
				SessionID: r.session.options.SessionID, TurnID: turn,
				ConfirmationID: e.ConfirmationID, ToolCallID: e.ToolCallID,
				Decision: agent.NotDecided, Reason: reasonAbandoned,
			})
		case *agent.QuestionAsked:
			r.session.Answer(agent.QuestionResponse{
				SessionID: r.session.options.SessionID, TurnID: turn, QuestionID: e.QuestionID,
				Cancelled: true, Reason: reasonAbandoned,
			})
		}
		if of := e.Common().TurnID; of != "" && of != turn {
			continue
		}
		switch e := e.(type) {
		case *agent.Done:
			return true
		case *agent.Error:
			if e.Fatal == nil || *e.Fatal {
				return true
			}
		}
	}
	return false
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

// silence drops all that comes from now on, unseen.
func (r *run) silence() {
	r.silenced.Do(func() { close(r.silent) })
	r.gate.shut()
}

// replace makes place for another run.
func (r *run) replace() {
	r.silence()
	r.child.Kill()
	r.child.Wait()
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
