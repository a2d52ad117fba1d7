package child

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
)

// pipes are the three standard streams of a child, seen from both sides.
type pipes struct {
	child  [3]*os.File // what the child gets
	stdin  *os.File    // nil where there is no pipe
	stdout *os.File
	stderr *os.File // nil where stderr goes to stdout
}

func openPipes(s Spec) (_ *pipes, err error) {
	p := new(pipes)
	defer func() {
		if err != nil {
			p.closeChildEnds()
			p.closeOwnEnds()
		}
	}()
	if s.Stdin {
		p.child[0], p.stdin, err = os.Pipe()
	} else {
		p.child[0], err = os.Open(os.DevNull)
	}
	if err != nil {
		return nil, err
	}
	if p.stdout, p.child[1], err = os.Pipe(); err != nil {
		return nil, err
	}
	widen(p.stdout)
	if s.MergeStderr {
		p.child[2] = p.child[1]
		return p, nil
	}
	p.stderr, p.child[2], err = os.Pipe()
	return p, err
}

// Closing a file that is nil, or a second time, is an error without effect.

func (p *pipes) closeChildEnds() {
	for _, f := range p.child {
		_ = f.Close()
	}
}

func (p *pipes) closeOwnEnds() {
	_ = p.stdin.Close()
	_ = p.stdout.Close()
	_ = p.stderr.Close()
}

// output is the reading end of the stdout pipe. It closes itself at the end,
// and it gives up on a pipe that outlives the child: there a process sits that
// could not be killed.
type output struct {
	f     *os.File
	ended atomic.Bool
}

// Read implements [io.Reader].
func (o *output) Read(p []byte) (int, error) {
	for {
		// The deadline is set anew for every read: what the pipe still holds
		// is not late, however late it is asked for.
		fresh := o.ended.Load()
		if fresh {
			linger(o.f)
		}
		n, err := o.f.Read(p)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			if !fresh {
				continue
			}
			err = io.EOF
		}
		if errors.Is(err, os.ErrClosed) {
			err = io.EOF
		}
		if err != nil {
			o.close()
		}
		return n, err
	}
}

// expire says that the child and its descendants have ended.
func (o *output) expire() {
	o.ended.Store(true)
	linger(o.f)
}

func (o *output) close() { _ = o.f.Close() }
