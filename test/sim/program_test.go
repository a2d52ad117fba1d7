package sim

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

// stopGrace is how long a program may take to exit after its stdin is closed.
const stopGrace = 400 * time.Millisecond

// A program is an agent's process, played by an actor in a goroutine. It replaces a
// [child.Child].
type program struct {
	in, out *pipe
	ctx     context.Context // done when the program is killed
	cancel  context.CancelFunc
	done    chan struct{}

	mu     sync.Mutex
	status child.ExitStatus
}

// newProgram returns a program that isn't running yet.
func newProgram(latency time.Duration) *program {
	p := &program{in: newSlowPipe(pipeSize, latency), out: newPipe(pipeSize), done: make(chan struct{})}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// start runs the program, which exits when run returns.
func (p *program) start(run func(*program)) {
	go func() {
		run(p)
		p.cancel()
		p.in.cut()
		_ = p.out.Close() // never fails
		close(p.done)
	}()
}

// pipeSize is the size of a pipe's buffer on Linux.
const pipeSize = 64 << 10

// Stdout returns what the program wrote.
func (p *program) Stdout() io.Reader { return p.out }

// Done is closed when the program has exited.
func (p *program) Done() <-chan struct{} { return p.done }

// StderrTail returns nothing: programs here write nothing to stderr.
func (*program) StderrTail() string { return "" }

// Kill ends the program at once.
func (p *program) Kill() { p.exit(child.ExitStatus{Code: -1, Signal: "killed"}) }

// exit ends the program with a status, unless it has already ended.
func (p *program) exit(status child.ExitStatus) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx.Err() != nil {
		return
	}
	p.status = status
	p.cancel()
	p.in.cut()
	_ = p.out.Close() // never fails
}

// stop closes the program's stdin, and kills it if it doesn't exit.
func (p *program) stop(ctx context.Context) child.ExitStatus {
	_ = p.in.Close() // never fails
	timer := time.NewTimer(stopGrace + p.in.latency)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
	case <-ctx.Done():
	}
	p.Kill()
	<-p.done
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

// Close kills the program, and waits for its goroutine.
func (p *program) Close() {
	p.Kill()
	p.out.cut()
	<-p.done
}

// A command is a program that prints events.
type command struct{ *program }

// Stdin returns the program's stdin.
func (c command) Stdin() io.WriteCloser { return c.in }

// Stop ends the program.
func (c command) Stop(ctx context.Context) child.ExitStatus { return c.stop(ctx) }

// A peer is a program that speaks ACP.
type peer struct{ *program }

// Stdin returns the program's stdin.
func (p peer) Stdin() io.Writer { return p.in }

// Stop ends the program.
func (p peer) Stop(ctx context.Context) { p.stop(ctx) }

// End says how the program ended.
func (p peer) End() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return "The agent stopped (" + p.status.String() + ")."
}
