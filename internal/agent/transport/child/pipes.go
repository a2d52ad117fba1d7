package child

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
)

// pipes are both ends of a child's three standard streams.
type pipes struct {
	child  [3]*os.File // the child's ends
	stdin  *os.File    // nil if there is no pipe
	stdout *os.File
	stderr *os.File // nil if stderr is merged into stdout
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

// Closing a nil file, or a file twice, returns an error and has no effect.

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

// output is the read end of the stdout pipe. It closes itself at EOF. It gives
// up on a pipe that outlives the child, which means that some process could
// not be killed.
type output struct {
	f     *os.File
	ended atomic.Bool
}

// Read implements [io.Reader].
func (o *output) Read(p []byte) (int, error) {
	for {
		// Set the deadline for every read: data that is still in the pipe is
		// not late, no matter when it is read.
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

// expire records that the child and its descendants have ended.
func (o *output) expire() {
	o.ended.Store(true)
	linger(o.f)
}

func (o *output) close() { _ = o.f.Close() }
