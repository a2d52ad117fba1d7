package pipe

import (
	"os"
	"sync"
	"time"
)

const (
	// enough is how much must be read without delay before a pipe is widened,
	// in bytes.
	enough = 1 << 20
	// late is how long a write takes at least that a reader holds up, and slow
	// how much such a reader takes at most, in bytes a second.
	late = 2 * time.Millisecond
	slow = 64 << 20
	// pause is how long a reader is given to make room before the first look,
	// and longest between two. One that is not that slow may find the pipe empty
	// for so long, once.
	pause   = 5 * time.Millisecond
	longest = 40 * time.Millisecond
)

// An Output is the writing end of a pipe, or any other file. It is used by one
// goroutine at a time, but for Close.
type Output struct {
	file   *os.File
	usual  int // what the pipe holds while it is not wide
	wide   bool
	fixed  bool // it cannot be widened
	quick  int  // bytes that were read without delay
	now    func() time.Time
	closed chan struct{}
	once   sync.Once
}

// NewOutput returns an Output that owns f.
func NewOutput(f *os.File) *Output {
	return &Output{file: f, now: time.Now, closed: make(chan struct{})}
}

// Write implements [io.Writer].
func (o *Output) Write(b []byte) (int, error) {
	began := o.now()
	n, err := o.file.Write(b)
	if err == nil && !o.fixed { // who is gone makes no room
		o.adapt(n, o.now().Sub(began))
	}
	return n, err
}

// Close implements [io.Closer]. A Write that waits for the reader's sake goes
// on without it.
func (o *Output) Close() error {
	o.once.Do(func() { close(o.closed) })
	return o.file.Close()
}

// adapt draws conclusions from how long it took to write n bytes. A reader is
// slow in both: much takes its time, and little may be late by chance.
func (o *Output) adapt(n int, took time.Duration) {
	isSlow := took > late && float64(n) < slow*took.Seconds()
	switch {
	case isSlow && o.wide:
		o.narrow()
	case isSlow:
		o.quick = 0
	case !o.wide:
		if o.quick += n; o.quick >= enough {
			o.widen()
		}
	}
}

func (o *Output) widen() {
	usual, err := size(o.file)
	if err != nil || usual >= Wide || resize(o.file, Wide) != nil {
		o.fixed = true
		return
	}
	o.usual, o.wide = usual, true
}

// narrow waits until the reader has read what the pipe holds too much. More must
// not be written before, or a slow reader would find the pipe full for ever.
func (o *Output) narrow() {
	for wait := pause; isBusy(resize(o.file, o.usual)); wait = min(2*wait, longest) {
		select {
		case <-o.closed:
			return
		case <-time.After(wait):
		}
	}
	o.wide, o.quick = false, 0
}
