package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

const (
	// stdinGrace is how long a child may take at least to end after the end of its
	// stdin, and longGrace how long at most, if the deadline allows. termGrace is how
	// long it may take after SIGTERM, and killGrace what is left for the kill.
	// Together they stay below the two seconds that Turnwire has to end.
	stdinGrace = 400 * time.Millisecond
	longGrace  = 1100 * time.Millisecond
	termGrace  = 400 * time.Millisecond
	killGrace  = 200 * time.Millisecond
	// lingerLimit is how long a pipe of a child that has ended is waited for.
	// It matters only where something that cannot be killed holds it.
	lingerLimit = 500 * time.Millisecond
)

// A Child is a started command. All its methods are safe for concurrent use.
type Child struct {
	proc   *process
	stdin  *os.File
	stdout *output
	stderr *tail
	status ExitStatus // valid once done is closed
	done   chan struct{}
	kill   func()
}

// Start starts a command. Where it cannot be started the error names it and
// wraps the cause: [os/exec.ErrNotFound], [io/fs.ErrPermission] and the like.
func Start(s Spec) (*Child, error) {
	s, path, err := s.resolved()
	if err != nil {
		return nil, err
	}
	p, err := openPipes(s)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", s.Args[0], err)
	}
	proc, err := startProcess(path, s, p.child)
	p.closeChildEnds()
	if err != nil {
		p.closeOwnEnds()
		return nil, fmt.Errorf("start %s: %w", s.Args[0], err)
	}
	c := &Child{
		proc:   proc,
		stdin:  p.stdin,
		stdout: &output{f: p.stdout},
		stderr: newTail(s.Log),
		done:   make(chan struct{}),
		kill:   sync.OnceFunc(proc.kill),
	}
	drained := make(chan struct{})
	go c.drain(p.stderr, drained)
	go c.reap(p.stderr, drained)
	return c, nil
}

// drain reads stderr, so that the child never blocks on it.
func (c *Child) drain(stderr *os.File, drained chan<- struct{}) {
	defer close(drained)
	if stderr == nil {
		return
	}
	// Most children say nothing there, and there may be a thousand of them: the
	// buffer is small before it is filled. An error of reading is the end, whatever
	// the reason.
	buf := make([]byte, 1<<8)
	for {
		n, err := stderr.Read(buf)
		_, _ = c.stderr.Write(buf[:n])
		if err != nil {
			break
		}
		if n == len(buf) && n < 4<<10 {
			buf = make([]byte, 2*n)
		}
	}
	c.stderr.flush()
	_ = stderr.Close()
}

// reap waits for the end of the child and of all its descendants.
func (c *Child) reap(stderr *os.File, drained <-chan struct{}) {
	status := c.proc.wait()
	c.stdout.expire()
	if stderr != nil {
		linger(stderr)
	}
	limit := time.NewTimer(2 * lingerLimit) // for systems whose pipes have no deadlines
	defer limit.Stop()
	select {
	case <-drained:
	case <-limit.C:
	}
	if c.stdin != nil {
		_ = c.stdin.Close()
	}
	c.status = status
	close(c.done)
}

// Stdin is the pipe to the child's stdin; nil unless [Spec.Stdin] asked for it.
// It is closed when the child ends.
func (c *Child) Stdin() io.WriteCloser {
	if c.stdin == nil {
		return nil
	}
	return c.stdin
}

// Stdout is the pipe from the child. It ends when the child and all its
// descendants have ended or closed it. It is closed at its end, or by Close.
func (c *Child) Stdout() io.Reader { return c.stdout }

// Done is closed when the child and all its descendants have ended.
func (c *Child) Done() <-chan struct{} { return c.done }

// Wait blocks until then. Any number of callers may wait.
func (c *Child) Wait() ExitStatus {
	<-c.done
	return c.status
}

// StderrTail is the end of what the child wrote to stderr, at most 4 KiB,
// valid UTF-8 without escape sequences. It is complete once Done is closed.
func (c *Child) StderrTail() string { return c.stderr.String() }

// Stop ends the child: it closes stdin and waits, sends SIGTERM to the child's
// process group and waits a little, then kills every descendant. After the end of its
// stdin a child has 0.4 seconds to save something, or up to 1.1 seconds if the
// deadline of ctx allows. When ctx ends, Stop kills it at once. Somebody must read
// Stdout meanwhile: a child that blocks there cannot see the end of its stdin.
func (c *Child) Stop(ctx context.Context) ExitStatus {
	if c.stdin != nil {
		_ = c.stdin.Close()
		if c.endsWithin(ctx, graceOf(ctx)) {
			return c.status
		}
	}
	if ctx.Err() == nil && c.proc.terminate() {
		c.endsWithin(ctx, termGrace)
	}
	c.Kill()
	return c.Wait()
}

// graceOf returns how long a child may run after its stdin is closed.
func graceOf(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return stdinGrace
	}
	return min(max(time.Until(deadline)-termGrace-killGrace, stdinGrace), longGrace)
}

func (c *Child) endsWithin(ctx context.Context, grace time.Duration) bool {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-c.done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// Kill kills the child and every descendant. It does not wait.
func (c *Child) Kill() {
	select {
	case <-c.done:
	default:
		c.kill()
	}
}

// Close kills what is left, waits for its end and closes Stdout. It is for
// those who do not read Stdout to its end, and harmless for all others.
func (c *Child) Close() {
	c.Kill()
	c.stdout.close()
	c.Wait()
}

// linger bounds the time that one more read of f can take.
func linger(f *os.File) {
	err := f.SetReadDeadline(time.Now().Add(lingerLimit))
	if err != nil && !errors.Is(err, os.ErrNoDeadline) && !errors.Is(err, os.ErrClosed) {
		_ = f.Close()
	}
}
