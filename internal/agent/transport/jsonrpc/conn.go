package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/outbox"
)

// A Handler receives the agent's lines. The reading goroutine calls all its
// methods; a line is valid until they return.
type Handler interface {
	// Line handles a raw line, or returns false to have it parsed. It exists for
	// lines that a stream contains by the thousand.
	Line(line []byte) bool
	// Message handles a message that answers no Call. Its error is logged.
	Message(line []byte, m Message) error
	// Unread reports a line that could not be read, or the beginning of one that
	// is too long.
	Unread(line []byte, cause error)
	// Flush is called when no other line has arrived yet.
	Flush()
}

// A Conn is a connection to an agent.
type Conn struct {
	log *slog.Logger
	out *outbox.Outbox

	mu     sync.Mutex
	last   int64          // the id of the last request
	calls  map[int64]call // awaiting a response
	closed error
}

// A call awaits its response.
type call struct {
	answer chan answer
	onSent func(line []byte)
}

type answer struct {
	Answer
	err error
}

// An Answer is a successful response. The caller owns it.
type Answer struct{ Line, Result []byte }

// An Error is the error response to a Call.
type Error struct{ Raw json.RawMessage }

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("the agent responded with an error: %.200s", e.Raw)
}

// New returns a connection. full is called if the agent does not read its input;
// see [outbox.New].
func New(log *slog.Logger, full func()) *Conn {
	return &Conn{log: log, out: outbox.New(full), calls: make(map[int64]call)}
}

// Read passes the lines of r to h until EOF, and returns the read error.
func (c *Conn) Read(r io.Reader, h Handler) error {
	lines := &reader{c, h}
	return dialect.Each(context.Background(), r, lines, c.log, func(b agent.Batch) bool {
		for range b.Events() { // the handler gets each line; there are no events
		}
		b.Release()
		h.Flush()
		return true
	})
}

// reader handles lines like a decoder. It so gets a second try for lines that
// nest too deep, and the beginning of lines that are too long.
type reader struct {
	conn    *Conn
	handler Handler
}

// Decode implements [dialect.Decoder].
func (r *reader) Decode(line []byte, _ func(agent.Event) bool) error {
	if r.handler.Line(line) {
		return nil
	}
	m, err := Parse(line)
	if err != nil {
		return err
	}
	if m.IsResponse() && r.conn.settle(line, m) {
		return nil
	}
	return r.handler.Message(line, m)
}

// Refuse implements [dialect.Refuser].
func (r *reader) Refuse(line []byte, cause error) agent.Event {
	r.handler.Unread(line, cause)
	return nil
}

// settle passes a response to the call that awaits it, or returns false if none
// does.
func (c *Conn) settle(line []byte, m Message) bool {
	id, ok := m.Number()
	if !ok {
		return false
	}
	c.mu.Lock()
	waiting, ok := c.calls[id]
	delete(c.calls, id)
	c.mu.Unlock()
	if !ok {
		return false
	}
	if m.Error != nil {
		waiting.answer <- answer{err: &Error{bytes.Clone(m.Error)}}
		return true
	}
	if waiting.onSent != nil {
		waiting.onSent(line)
	}
	waiting.answer <- answer{Answer: Answer{bytes.Clone(line), bytes.Clone(m.Result)}}
	return true
}

// Write writes queued messages to w until the connection is closed or w fails.
func (c *Conn) Write(w io.Writer) error { return c.out.Run(w) }

// Close fails all current and future calls with err, and drops queued messages.
func (c *Conn) Close(err error) {
	c.out.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = err
	for _, id := range slices.Sorted(maps.Keys(c.calls)) {
		c.calls[id].answer <- answer{err: err}
		delete(c.calls, id)
	}
}

// NextID returns a new request id.
func (c *Conn) NextID() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	return c.last
}

// Call sends a request and waits for the response. If heard is not nil, it
// receives a successful response in order with all other lines, even if it
// arrives after Call has returned.
func (c *Conn) Call(ctx context.Context, method string, params any, onSent func(line []byte)) (Answer, error) {
	id := c.NextID()
	line, err := EncodeRequest(id, method, params)
	if err != nil {
		return Answer{}, err
	}
	waiting, err := c.expect(id, onSent)
	if err != nil {
		return Answer{}, err
	}
	if onSent == nil {
		defer c.forget(id)
	}
	c.out.Put(line)
	var a answer
	select {
	case a = <-waiting:
	case <-ctx.Done():
		select { // prefer the connection's error: it says more than a ctx that ended after it
		case a = <-waiting:
		default:
			return Answer{}, ctx.Err()
		}
	}
	return a.Answer, a.err
}

func (c *Conn) expect(id int64, onSent func([]byte)) (<-chan answer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed != nil {
		return nil, c.closed
	}
	waiting := make(chan answer, 1)
	c.calls[id] = call{waiting, onSent}
	return waiting, nil
}

func (c *Conn) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.calls, id)
}

// Put sends an encoded line.
func (c *Conn) Put(line []byte) { c.out.Put(line) }

// Send sends a request whose response goes to the handler, and returns its id.
func (c *Conn) Send(method string, params any) int64 {
	id := c.NextID()
	line, err := EncodeRequest(id, method, params)
	c.enqueue(line, err)
	return id
}

// Notify sends a notification.
func (c *Conn) Notify(method string, params any) {
	c.enqueue(Encode(Outgoing{Method: method, Params: params}))
}

// Respond sends a result for a request from the agent.
func (c *Conn) Respond(id json.RawMessage, result any) {
	c.enqueue(Encode(Outgoing{ID: id, Result: result}))
}

// Fail sends an error for a request from the agent.
func (c *Conn) Fail(id json.RawMessage, err any) {
	c.enqueue(Encode(Outgoing{ID: id, Error: err}))
}

// Permit answers a request from the agent with a result that permits something,
// or with refusal once cancelled is closed; see [outbox.Outbox.Permit].
func (c *Conn) Permit(id json.RawMessage, result, refusal any, cancelled <-chan struct{}) {
	line, err := Encode(Outgoing{ID: id, Result: result})
	no, err2 := Encode(Outgoing{ID: id, Result: refusal})
	if err = errors.Join(err, err2); err != nil {
		c.enqueue(nil, err)
		return
	}
	c.out.Permit(line, no, cancelled)
}

func (c *Conn) enqueue(line []byte, err error) {
	if err != nil {
		c.log.Error("cannot encode a message", "error", err)
		return
	}
	c.out.Put(line)
}
