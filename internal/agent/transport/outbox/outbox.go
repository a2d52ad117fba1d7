// Package outbox queues lines for an agent that reads its stdin.
//
// # Contract
//
// Adding a line never blocks on the agent. One goroutine at a time writes the
// lines in order. A line that permits something is queued together with a
// refusal. If the turn is cancelled before the line's first byte is written,
// the refusal is written instead. The queue is limited: if an agent keeps
// sending requests without reading the answers, the outbox closes.
package outbox

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

// Limits of the queue. A turn adds a prompt and a few small answers.
const (
	maxBytes = 64 << 20
	maxLines = 1 << 14
)

// An Outbox holds lines that wait to be written.
type Outbox struct {
	full func()

	mu      sync.Mutex
	w       io.Writer // nil before Start
	ended   func(error)
	lines   []line
	size    int // total bytes in lines
	closed  bool
	writing bool // a goroutine is writing, or has written the last line
}

// A line has no newline until it is written.
type line struct {
	text      []byte
	refusal   []byte          // nil if the line permits nothing
	cancelled <-chan struct{} // closed when the turn is cancelled
}

func (l *line) size() int { return len(l.text) + len(l.refusal) }

// New returns an empty outbox. If its limit is exceeded, the outbox closes
// itself and calls full once.
func New(full func()) *Outbox {
	return &Outbox{full: full}
}

// Encode encodes a message as a line, without the newline. It does not escape
// "<" and the like, because people read these lines and write programs that
// compare them.
func Encode(message any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(message)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Put adds a line.
func (o *Outbox) Put(text []byte) { o.add(line{text: text}) }

// Permit adds a line that permits something, and a refusal that replaces it
// once cancelled is closed.
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

// Finish closes the outbox to new lines. Queued lines are still written.
func (o *Outbox) Finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.wake()
}

// Close closes the outbox and drops queued lines.
func (o *Outbox) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed, o.lines, o.size = true, nil, 0
	o.wake()
}

// Start writes lines to w as they are added. It calls ended once, in a separate
// goroutine, when the outbox is finished or w fails. No goroutine exists while
// the queue is empty, because a thousand agents may be waiting for a prompt.
func (o *Outbox) Start(w io.Writer, ended func(error)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.w, o.ended = w, ended
	o.wake()
}

// wake starts the writing goroutine if there is something to do. The lock is
// held.
func (o *Outbox) wake() {
	if o.w != nil && !o.writing && (len(o.lines) > 0 || o.closed) {
		o.writing = true
		go o.write()
	}
}

// write writes the queued lines, and calls ended if no more will follow.
func (o *Outbox) write() {
	for {
		l, ok, done := o.next()
		if done {
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

// next returns the next line. ok is false if the queue is empty. over is true
// if it is also closed; writing then stays set.
func (o *Outbox) next() (l line, ok, done bool) {
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

// Run calls Start and waits for the end.
func (o *Outbox) Run(w io.Writer) error {
	ended := make(chan error, 1)
	o.Start(w, func(err error) { ended <- err })
	return <-ended
}
