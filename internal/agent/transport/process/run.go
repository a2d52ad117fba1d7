package process

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/agent/transport/outbox"
)

// writeGrace is how long a child that is being stopped may take to read
// earlier commands.
const writeGrace = 100 * time.Millisecond

// A run is the life of one child.
type run struct {
	backend *backend
	child   Child
	voice   *voice // the child's stdout
	out     *outbox.Outbox
	stream  *lifecycle.Stream
	eof     chan struct{} // closed when its stdout has ended
	written chan struct{} // closed when nothing more is written to it
	exited  chan struct{} // closed when nothing of it is left
	running *atomic.Int32 // number of running goroutines: read and the outbox

	goesOn     bool             // the session had a prompt before this child
	prompted   bool             // guarded by the backend's mu
	reported   bool             // its exit is reported, if it concerns a turn; guarded by the backend's mu
	greeted    chan struct{}    // closed when the session was sent to it
	configured bool             // the session was sent to it; guarded by the backend's mu
	killed     *atomic.Bool     // it was killed because it may still be busy
	status     child.ExitStatus // set before exited is closed
}

// ended is called at the end of each goroutine.
func (r *run) ended() {
	if r.running.Add(-1) == 0 {
		close(r.exited)
	}
}

// start starts a child whose events go to stream.
func (b *backend) start(stream *lifecycle.Stream) (*run, error) {
	first, err := b.firstLines()
	if err != nil {
		return nil, err
	}
	c, stdout, err := b.child()
	if err != nil {
		return nil, err
	}
	r := &run{
		backend: b,
		goesOn:  b.goesOn(),
		child:   c,
		voice:   &voice{from: stdout},
		stream:  stream,
		eof:     make(chan struct{}),
		written: make(chan struct{}),
		exited:  make(chan struct{}),
		running: new(atomic.Int32),
		killed:  new(atomic.Bool),
		greeted: make(chan struct{}),
	}
	stream.Watch = r.watch
	r.out = outbox.New(func() {
		b.options.Log.Error("the agent does not read its stdin")
		c.Kill()
	})
	for _, line := range first {
		r.out.Put(line)
	}
	r.running.Store(2)
	go r.read()
	r.out.Start(c.Stdin(), r.unwritten)
	return r, nil
}

// firstLines returns the first lines for a child.
func (b *backend) firstLines() (lines [][]byte, err error) {
	if b.protocol == nil {
		return nil, nil
	}
	for _, message := range b.protocol.FirstMessages() {
		line, err := outbox.Encode(message)
		if err != nil {
			return nil, fmt.Errorf("encode the first messages: %w", err)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// child returns the early child, or starts one.
func (b *backend) child() (Child, io.Reader, error) {
	if e := b.early; e != nil {
		b.early = nil
		return e.child, e.out, nil
	}
	var more []string
	if p := b.protocol; p != nil {
		more = p.Args(b.options.Memory())
	}
	c, err := b.config.start(b.options.Cwd, b.options.Log, more...)
	if err != nil {
		return nil, nil, err
	}
	return c, c.Stdout(), nil
}

// read forwards the child's output, and reports when the child has exited.
func (r *run) read() {
	defer r.ended()
	log := r.backend.options.Log
	if err := r.stream.Pump(r.voice, r.backend.config.Dialect.NewDecoder()); err != nil {
		log.Warn("cannot read from the agent", "error", err)
	}
	close(r.eof)
	// A child that closed its stdout but lives on can send nothing more.
	status := r.child.Stop(context.Background())
	r.status = status
	r.out.Close()
	// Before the first turn, the exit concerns nobody: the first prompt starts
	// another child. From now on, this one takes no prompt, so that none is lost.
	r.backend.mu.Lock()
	r.reported = true
	concerns := r.stream.Turn() != ""
	r.backend.mu.Unlock()
	if concerns {
		r.stream.Emit(r.exitError(status))
	}
	r.child.Close()
}

// unwritten is called when nothing more is written to the child.
func (r *run) unwritten(err error) {
	defer r.ended()
	close(r.written)
	if err != nil {
		r.backend.options.Log.Debug("the agent's stdin is closed", "error", err)
	}
}

// begin makes t the child's turn. It returns false if the child has exited, or
// may still be busy with an abandoned turn. The caller holds the backend's mu.
func (r *run) begin(t *lifecycle.Turn) bool {
	select {
	case <-r.child.Done():
		return false
	default:
	}
	return !r.reported && !r.isOver() && r.stream.Begin(t)
}

// reopen delivers the child's events again. It returns false if that is
// impossible.
func (r *run) reopen() bool { return !r.isOver() && r.stream.Reopen() }

func (r *run) isOver() bool {
	select {
	case <-r.eof:
		return true
	default:
		return false
	}
}

// kill kills the child, and drops its remaining output.
func (r *run) kill() {
	if !r.isOver() {
		r.killed.Store(true)
	}
	r.stream.Close()
	r.child.Kill()
}

// stop writes the remaining commands, unless the child does not read, then
// stops the child and waits until nothing of it is left.
func (r *run) stop(ctx context.Context) {
	r.stream.Close()
	r.out.Finish()
	timer := time.NewTimer(writeGrace)
	defer timer.Stop()
	select {
	case <-r.written:
	case <-timer.C:
	case <-ctx.Done():
	}
	r.child.Stop(ctx)
	<-r.exited
}

// exitError reports that the child has exited. It omits the command line, which
// may be confidential.
func (r *run) exitError(status child.ExitStatus) *agent.Error {
	text := fmt.Sprintf("The agent stopped (%s).", status)
	if tail := r.child.StderrTail(); tail != "" {
		text += " Last lines of stderr: " + tail
	}
	if words := r.voice.end.words(); words != "" {
		text += " Lines on stdout that are not events: " + words
	}
	if f, ok := r.misuse(); ok && !r.voice.end.mayBeEvents() {
		text = f.Advice() + ". " + text
	}
	return &agent.Error{Error: text, Code: CodeExited, Base: agent.Base{TurnID: r.stream.Turn()}}
}
