package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/outbox"
)

// A Handler takes what the agent says. All its methods are called by the
// goroutine that reads; a line is used until they return.
type Handler interface {
	// Line takes a line as it is, or returns false to have it parsed: of some
	// lines a stream has thousands.
	Line(line []byte) bool
	// Message takes a message that is no answer to a Call. Its error is logged.
	Message(line []byte, m Message) error
	// Unread is told of a line that could not be read, or of the beginning of
	// one that is too long.
	Unread(line []byte, cause error)
	// Flush is called when no other line has arrived yet.
	Flush()
}

// A Conn is one connection with an agent.
type Conn struct {
	log *slog.Logger
	out *outbox.Outbox

	mu     sync.Mutex
	last   int64          // the id of the last request
	calls  map[int64]call // that wait for their answer
	closed error
}

// A call waits for its answer.
type call struct {
	answer chan answer
	heard  func(line []byte)
}

type answer struct {
	Answer
	err error
}

// An Answer is a good one, which is the caller's to keep.
type Answer struct{ Line, Result []byte }

// An Error is the error that the agent has answered a Call with.
type Error struct{ Raw json.RawMessage }

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("the agent answered with an error: %.200s", e.Raw) }

// New returns a connection. full is called if the agent does not read what it
// is sent; see [outbox.New].
func New(log *slog.Logger, full func()) *Conn {
	return &Conn{log: log, out: outbox.New(full), calls: make(map[int64]call)}
}

// Read gives the lines of r to h until r ends, and returns the error of reading.
func (c *Conn) Read(r io.Reader, h Handler) error {
	lines := &reader{c, h}
	return dialect.Each(context.Background(), r, lines, c.log, func(b agent.Batch) bool {
		for range b.Events() { // each line goes to the handler, and is no event
		}
		b.Release()
		h.Flush()
		return true
	})
}

// reader takes lines as a decoder does: with a second try for lines that nest
// too deep, and with the beginning of those that are too long.
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

// settle gives an answer to the call that waits for it; false where none does.
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
	if waiting.heard != nil {
		waiting.heard(line)
	}
	waiting.answer <- answer{Answer: Answer{bytes.Clone(line), bytes.Clone(m.Result)}}
	return true
}

// Write writes what is sent to w until the connection is closed or w fails.
func (c *Conn) Write(w io.Writer) error { return c.out.Run(w) }

// Close fails all calls with err, now and later, and drops what was not written.
func (c *Conn) Close(err error) {
	c.out.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = err
	for id, waiting := range c.calls {
		delete(c.calls, id)
		waiting.answer <- answer{err: err}
	}
}

// NextID is the id of another request.
func (c *Conn) NextID() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	return c.last
}

// Call sends a request and waits for the answer. heard, which may be nil, gets a
// good one in the order of all that the agent says, even where it comes when
// nobody waits any more.
func (c *Conn) Call(ctx context.Context, method string, params any, heard func(line []byte)) (Answer, error) {
	id := c.NextID()
	line, err := EncodeRequest(id, method, params)
	if err != nil {
		return Answer{}, err
	}
	waiting, err := c.expect(id, heard)
	if err != nil {
		return Answer{}, err
	}
	if heard == nil {
		defer c.forget(id)
	}
	c.out.Put(line)
	var a answer
	select {
	case a = <-waiting:
	case <-ctx.Done():
		select { // the end of the connection tells more than that of ctx after it
		case a = <-waiting:
		default:
			return Answer{}, ctx.Err()
		}
	}
	return a.Answer, a.err
}

func (c *Conn) expect(id int64, heard func([]byte)) (<-chan answer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed != nil {
		return nil, c.closed
	}
	waiting := make(chan answer, 1)
	c.calls[id] = call{waiting, heard}
	return waiting, nil
}

func (c *Conn) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.calls, id)
}

// Put sends a line that was encoded.
func (c *Conn) Put(line []byte) { c.out.Put(line) }

// Send sends a request whose answer goes to the handler, and returns its id.
func (c *Conn) Send(method string, params any) int64 {
	id := c.NextID()
	line, err := EncodeRequest(id, method, params)
	c.put(line, err)
	return id
}

// Notify sends a notification.
func (c *Conn) Notify(method string, params any) {
	c.put(Encode(Outgoing{Method: method, Params: params}))
}

// Respond answers a request of the agent.
func (c *Conn) Respond(id json.RawMessage, result any) {
	c.put(Encode(Outgoing{ID: id, Result: result}))
}

// Fail answers a request of the agent with an error.
func (c *Conn) Fail(id json.RawMessage, err any) {
	c.put(Encode(Outgoing{ID: id, Error: err}))
}

// Permit answers a request of the agent with what permits something, or with
// refusal once cancelled is closed; see [outbox.Outbox.Permit].
func (c *Conn) Permit(id json.RawMessage, result, refusal any, cancelled <-chan struct{}) {
	line, err := Encode(Outgoing{ID: id, Result: result})
	no, err2 := Encode(Outgoing{ID: id, Result: refusal})
	if err = errors.Join(err, err2); err != nil {
		c.put(nil, err)
		return
	}
	c.out.Permit(line, no, cancelled)
}

func (c *Conn) put(line []byte, err error) {
	if err != nil {
		c.log.Error("cannot encode a message", "error", err)
		return
	}
	c.out.Put(line)
}
