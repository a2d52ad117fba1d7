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
	// stdinGrace is the minimum time that a child gets to exit after its stdin is
	// closed. longGrace is the maximum, if the deadline allows it. termGrace is the
	// time after SIGTERM, and killGrace is the time left for the kill. Their sum
	// stays below the two seconds within which Turnwire must exit.
	stdinGrace = 400 * time.Millisecond
	longGrace  = 1100 * time.Millisecond
	termGrace  = 400 * time.Millisecond
	killGrace  = 200 * time.Millisecond
	// lingerLimit is how long to wait for a pipe of a child that has ended. It
	// matters only if a process that can't be killed holds the pipe.
	lingerLimit = 500 * time.Millisecond
)

// A Child is a started command. All methods are safe for concurrent use.
type Child struct {
	proc   *process
	stdin  *os.File
	stdout *output
	stderr *tail
	status ExitStatus // valid once done is closed
	done   chan struct{}
	kill   func()
}

// Start starts a command. If it fails, the error names the command and wraps the
// cause: [os/exec.ErrNotFound], [io/fs.ErrPermission] and the like.
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
	// There may be a thousand children, and most write nothing to stderr, so the
	// buffer starts small. Any read error ends the loop.
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

// reap waits until the child and all its descendants have ended.
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

// Stdin returns the pipe to the child's stdin, or nil unless [Spec.Stdin] is set. It
// is closed when the child ends.
func (c *Child) Stdin() io.WriteCloser {
	if c.stdin == nil {
		return nil
	}
	return c.stdin
}

// Stdout returns the pipe from the child. It reaches EOF when the child and all its
// descendants have ended or closed it. It is closed at EOF, or by Close.
func (c *Child) Stdout() io.Reader { return c.stdout }

// Done is closed when the child and all its descendants have ended.
func (c *Child) Done() <-chan struct{} { return c.done }

// Wait blocks until Done is closed, and returns the exit status. It may be called
// several times.
func (c *Child) Wait() ExitStatus {
	<-c.done
	return c.status
}

// StderrTail returns the last 4 KiB that the child wrote to stderr, as valid UTF-8
// without escape sequences. It is complete once Done is closed.
func (c *Child) StderrTail() string { return c.stderr.String() }

// Stop ends the child. It closes stdin and waits, then sends SIGTERM to the child's
// process group and waits, then kills every descendant. After its stdin is closed, a
// child has 0.4 seconds to exit, or up to 1.1 seconds if the deadline of ctx allows.
// When ctx ends, Stop kills the child at once. The caller must keep reading Stdout: a
// child that is blocked there can't see EOF on its stdin.
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

// Close kills what is left, waits for it and closes Stdout. It is needed if Stdout is
// not read until EOF, and harmless otherwise.
func (c *Child) Close() {
	c.Kill()
	c.stdout.close()
	c.Wait()
}

// linger limits the duration of the next read of f.
func linger(f *os.File) {
	err := f.SetReadDeadline(time.Now().Add(lingerLimit))
	if err != nil && !errors.Is(err, os.ErrNoDeadline) && !errors.Is(err, os.ErrClosed) {
		_ = f.Close()
	}
}
