package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
)

// requests are those that we have sent, but for prompts, whose answers go
// another way.
type requests struct {
	mu      sync.Mutex
	last    int64
	waiting map[int64]waiter
	failed  error
}

// A waiter waits for an answer. What it makes of the line of a good one is
// heard, in the order of all that the agent says.
type waiter struct {
	answer chan reply
	heard  func(line []byte) []byte // nil: nothing
}

// A reply is the answer to one of them.
type reply struct {
	line   []byte // a copy
	result []byte
	err    error
}

func newRequests() *requests { return &requests{waiting: make(map[int64]waiter)} }

func (r *requests) next() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	return r.last
}

// expect makes place for the answer to a request.
func (r *requests) expect(id int64, heard func([]byte) []byte) (<-chan reply, func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := make(chan reply, 1)
	if r.failed != nil {
		c <- reply{err: r.failed}
		return c, func() {}
	}
	r.waiting[id] = waiter{c, heard}
	return c, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.waiting, id)
	}
}

// take gives whoever waits for an answer; false where nobody does.
func (r *requests) take(id int64) (waiter, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w, ok := r.waiting[id]
	delete(r.waiting, id)
	return w, ok
}

// settle gives a waiter the answer.
func (w waiter) settle(line []byte, m message) {
	out := reply{line: bytes.Clone(line), result: bytes.Clone(m.result)}
	if m.failure != nil {
		f, err := parseFailure(bytes.Clone(m.failure))
		if err != nil {
			f = failure{Message: "an error that is none"}
		}
		out.err = &failureError{f}
	}
	w.answer <- out
}

// fail ends all waiting, now and later.
func (r *requests) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = err
	for id, w := range r.waiting {
		delete(r.waiting, id)
		w.answer <- reply{err: err}
	}
}

// request asks the agent and waits for the answer. What heard makes of a good
// one is heard, even where it comes when nobody waits any more.
func (l *link) request(ctx context.Context, method string, params, result any, heard func([]byte) []byte) (line []byte, err error) {
	id := l.requests.next()
	sent, err := encodeRequest(id, method, params)
	if err != nil {
		return nil, err
	}
	answer, forget := l.requests.expect(id, heard)
	if heard == nil {
		defer forget()
	}
	l.out.put(sent)
	var a reply
	select {
	case a = <-answer:
	case <-ctx.Done():
		select { // the end of the child tells more than that of ctx behind it
		case a = <-answer:
		default:
			return nil, ctx.Err()
		}
	}
	if a.err != nil {
		return nil, a.err
	}
	return a.line, unmarshal(a.result, result)
}

// notify tells the agent something.
func (l *link) notify(method string, params any) {
	line, err := encode(wire{Method: method, Params: params})
	if err != nil {
		l.log.Error("cannot encode a notification", "method", method, "error", err)
		return
	}
	l.out.put(line)
}

// respond answers a request of the agent.
func (l *link) respond(id json.RawMessage, result any) {
	l.send(wire{ID: id, Result: result})
}

func (l *link) send(m wire) {
	line, err := encode(m)
	if err != nil {
		l.log.Error("cannot encode an answer", "error", err)
		return
	}
	l.out.put(line)
}

// cancelRequest is `CancelRequestNotification` for one of our requests.
type cancelRequest struct {
	RequestID int64 `json:"requestId"`
}
