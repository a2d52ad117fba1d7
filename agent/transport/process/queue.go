package process

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"

	"github.com/turnwire/turnwire/agent"
)

// maxQueued bounds the lines that wait for a child that does not read. A turn
// adds one prompt and few small answers: only a child that asks without end, and
// does not read what it is answered, gets there.
const maxQueued = 1 << 14

// queue holds the lines that wait to be written to a child.
type queue struct {
	mu     sync.Mutex
	lines  []line
	closed bool
	filled *sync.Cond
}

// A line is a command. That of an answer has another text, which refuses.
type line struct{ text, refusal []byte }

func newQueue() *queue {
	q := new(queue)
	q.filled = sync.NewCond(&q.mu)
	return q
}

// put adds a line, and reports whether there was room for it. After the end of
// the queue it does nothing.
func (q *queue) put(l line) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return true
	}
	if len(q.lines) >= maxQueued {
		return false
	}
	q.lines = append(q.lines, l)
	q.filled.Signal()
	return true
}

// refuse has the answers that wait refuse.
func (q *queue) refuse() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.lines {
		if l := &q.lines[i]; l.refusal != nil {
			l.text = l.refusal
		}
	}
}

// finish ends the queue with what is in it.
func (q *queue) finish() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.filled.Signal()
}

// drop ends the queue without what is in it.
func (q *queue) drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.lines = true, nil
	q.filled.Signal()
}

// take waits for a line, and reports whether there was one before the end.
func (q *queue) take() (text []byte, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.lines) == 0 && !q.closed {
		q.filled.Wait()
	}
	if len(q.lines) == 0 {
		return nil, false
	}
	text = q.lines[0].text
	q.lines[0] = line{}
	q.lines = q.lines[1:]
	return text, true
}

// writeTo writes lines as they come until the queue has ended or w fails.
func (q *queue) writeTo(w io.Writer) error {
	for {
		text, ok := q.take()
		if !ok {
			return nil
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
}

// encode returns the line of a command. People read these lines, and write
// programs that compare them: "<" stays "<".
func encode(command any) (line, error) {
	text, err := encodeText(command)
	if err != nil {
		return line{}, err
	}
	l := line{text: text}
	switch c := command.(type) {
	case agent.ConfirmationResponse:
		l.refusal, err = encodeText(c.Refused())
	case agent.QuestionResponse:
		l.refusal, err = encodeText(c.Refused())
	}
	return l, err
}

func encodeText(command any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(command)
	return b.Bytes(), err
}
