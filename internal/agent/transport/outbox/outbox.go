// Package outbox queues the lines for an agent that reads its stdin.
//
// # Contract
//
// Whoever adds a line never waits for the agent: one goroutine at a time writes
// the lines in their order. A line that permits something
// goes with the refusal that takes its place once the turn is cancelled, up to
// the moment at which its first byte is written. What waits is bounded: an
// agent that asks without end and reads no answers is given up.
package outbox

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

// Bounds on what waits. A turn adds a prompt and few small answers.
const (
	maxBytes = 64 << 20
	maxLines = 1 << 14
)

// An Outbox holds the lines that wait to be written.
type Outbox struct {
	full func()

	mu      sync.Mutex
	w       io.Writer // nil before Start
	ended   func(error)
	lines   []line
	size    int // bytes in lines
	closed  bool
	writing bool // a goroutine writes, or has written the last line
}

// A line is without its newline until it is written.
type line struct {
	text      []byte
	refusal   []byte          // nil where nothing is permitted
	cancelled <-chan struct{} // of the turn
}

func (l *line) size() int { return len(l.text) + len(l.refusal) }

// New returns an empty outbox. full is called once if more waits than there is
// room for: the outbox has been closed then.
func New(full func()) *Outbox {
	return &Outbox{full: full}
}

// Encode encodes a message as a line, without the newline. People read these
// lines, and write programs that compare them: "<" stays "<".
func Encode(message any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(message)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Put adds a line.
func (o *Outbox) Put(text []byte) { o.add(line{text: text}) }

// Permit adds a line that permits something, and the refusal that is written in
// its place once cancelled is closed.
func (o *Outbox) Permit(text, refusal []byte, cancelled <-chan struct{}) {
	o.add(line{text, refusal, cancelled})
}

func (o *Outbox) add(l line) {
	if !o.fits(l) {
		o.Close()
		o.full()
	}
}

// fits adds l if there is room. A closed outbox drops it.
func (o *Outbox) fits(l line) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return true
	}
	if len(o.lines) >= maxLines || o.size+l.size() > maxBytes {
		return false
	}
	o.size += l.size()
	o.lines = append(o.lines, l)
	o.wake()
	return true
}

// Finish closes the outbox to new lines. Run still writes those that wait.
func (o *Outbox) Finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.wake()
}

// Close closes the outbox and drops the lines that wait.
func (o *Outbox) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed, o.lines, o.size = true, nil, 0
	o.wake()
}

// Start has the lines written to w as they come. ended is called once, in a
// goroutine of its own: at the end of the outbox, or with the error of w. While
// no line waits there is no goroutine: there may be a thousand agents that wait
// for a prompt.
func (o *Outbox) Start(w io.Writer, ended func(error)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.w, o.ended = w, ended
	o.wake()
}

// wake starts the goroutine that writes where there is something to do for it.
// The lock is held.
func (o *Outbox) wake() {
	if o.w != nil && !o.writing && (len(o.lines) > 0 || o.closed) {
		o.writing = true
		go o.write()
	}
}

// write writes the lines that wait, and calls ended where none will follow.
func (o *Outbox) write() {
	for {
		l, ok, over := o.next()
		if over {
			o.ended(nil)
		}
		if !ok {
			return
		}
		if err := l.writeTo(o.w); err != nil {
			o.Close()
			o.ended(err)
			return
		}
	}
}

// next returns the next line; ok is false where there is none now, and over
// where there will be none. writing stays set then.
func (o *Outbox) next() (l line, ok, over bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.lines) == 0 {
		o.writing = o.closed
		return line{}, false, o.closed
	}
	l = o.lines[0]
	o.lines[0] = line{}
	o.lines = o.lines[1:]
	o.size -= l.size()
	return l, true, false
}

// Run is Start, and waits for the end.
func (o *Outbox) Run(w io.Writer) error {
	ended := make(chan error, 1)
	o.Start(w, func(err error) { ended <- err })
	return <-ended
}
