package acp

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

// maxOutbox bounds what waits to be written: more piles up only where an agent
// asks without end and never reads the answers.
const maxOutbox = 64 << 20

// outbox holds the lines that wait to be written to the child.
type outbox struct {
	mu     sync.Mutex
	filled *sync.Cond
	lines  []byte
	closed bool
}

func newOutbox() *outbox {
	o := new(outbox)
	o.filled = sync.NewCond(&o.mu)
	return o
}

// put adds a line. It never waits.
func (o *outbox) put(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return
	}
	if len(o.lines)+len(line) > maxOutbox {
		o.closed = true
	}
	o.lines = append(append(o.lines, line...), '\n')
	o.filled.Signal()
}

func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed, o.lines = true, nil
	o.filled.Signal()
}

// writeTo writes the lines as they come, until the outbox is closed or w fails.
func (o *outbox) writeTo(w io.Writer) error {
	var buf []byte
	for {
		o.mu.Lock()
		for len(o.lines) == 0 && !o.closed {
			o.filled.Wait()
		}
		if o.closed {
			o.mu.Unlock()
			return io.ErrClosedPipe
		}
		buf, o.lines = o.lines, buf[:0]
		o.mu.Unlock()
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
}

// wire is a message as it is sent.
type wire struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   any             `json:"error,omitempty"`
}

func encodeRequest(id int64, method string, params any) ([]byte, error) {
	raw, err := json.Marshal(id)
	if err != nil {
		return nil, err
	}
	return encode(wire{ID: raw, Method: method, Params: params})
}

// encode returns the line of a message, without the newline. "<" stays "<".
func encode(m wire) ([]byte, error) {
	m.Version = "2.0"
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(m)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
