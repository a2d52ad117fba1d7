package process

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

// queue holds the lines that wait to be written to a child. It has no limit of
// its own: a turn adds one prompt and few small answers, and a turn that the
// child does not take is abandoned together with the child.
type queue struct {
	mu     sync.Mutex
	lines  [][]byte
	closed bool
	filled *sync.Cond
}

func newQueue() *queue {
	q := new(queue)
	q.filled = sync.NewCond(&q.mu)
	return q
}

// put adds a line. Behind the end of the queue it does nothing.
func (q *queue) put(line []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	q.lines = append(q.lines, line)
	q.filled.Signal()
}

// close ends the queue, with all that is in it.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.lines = true, nil
	q.filled.Signal()
}

// take waits for lines; it returns none when the queue is closed.
func (q *queue) take() [][]byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.lines) == 0 && !q.closed {
		q.filled.Wait()
	}
	lines := q.lines
	q.lines = nil
	return lines
}

// writeTo writes lines as they come until the queue is closed or w fails.
func (q *queue) writeTo(w io.Writer) error {
	for {
		lines := q.take()
		if lines == nil {
			return nil
		}
		for _, line := range lines {
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
}

// encode returns the line of a command. People read these lines, and write
// programs that compare them: "<" stays "<".
func encode(command any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(command)
	return b.Bytes(), err
}
