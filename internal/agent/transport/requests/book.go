package requests

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/turnwire/turnwire/agent"
)

// maxSettled limits how many requests are remembered, if they are settled.
const maxSettled = 1 << 10

// ambiguous is the reason for refusing several requests that one decision is about.
const ambiguous = "two pending calls have the same ID, so it is unclear which one was approved"

// ErrLater is what a [Send] returns if the server does not accept the answer yet.
var ErrLater = errors.New("the server does not accept the answer yet")

// A Send delivers an answer to the server. An error means that it may not have arrived.
type Send func(context.Context, Answer) error

// A Book keeps the requests of a server. The zero value is an empty book. Its methods may be
// called concurrently.
type Book struct {
	mu     sync.Mutex
	list   []*pending // in the order of their arrival
	defers bool
	queue  []Answer      // the deferred ones
	more   chan struct{} // closed when one is added; nil if unused
}

// Add adds a request, and reports whether it is new.
func (b *Book) Add(q Request) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.find(q) != nil {
		return false
	}
	if len(b.list) >= maxSettled {
		b.list = slices.DeleteFunc(b.list, func(p *pending) bool { return p.stage == settled })
	}
	b.list = append(b.list, &pending{Request: q})
	return true
}

// Knows reports whether a request was added, even if it is settled.
func (b *Book) Knows(q Request) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.find(q) != nil
}

// Settle records that a request needs no answer any more.
func (b *Book) Settle(q Request) { b.sent(Answer{Request: q}, nil) }

// Confirm answers the confirmation that r is about. Without an id, that may be any
// confirmation of the call; r is consent to none if several are open.
func (b *Book) Confirm(ctx context.Context, r agent.ConfirmationResponse, send Send) error {
	return b.answer(ctx, send, func(q Request) (a Answer, ok bool) {
		ok = !q.Question && (q.ID == r.ConfirmationID || r.ConfirmationID == "" && q.Call == r.ToolCallID)
		return Answer{Request: q, Confirmation: r}, ok
	})
}

// Answer answers the question that r is about.
func (b *Book) Answer(ctx context.Context, r agent.QuestionResponse, send Send) error {
	return b.answer(ctx, send, func(q Request) (Answer, bool) {
		return Answer{Request: q, Response: r}, q.Question && q.ID == r.QuestionID
	})
}

// Refuse refuses a request, unless it was answered.
func (b *Book) Refuse(ctx context.Context, q Request, reason string, send Send) error {
	return b.answer(ctx, send, func(o Request) (Answer, bool) { return q.Refusal(reason), o.same(q) })
}

// RefuseAll refuses all requests that were not answered, even if an answer was deferred.
func (b *Book) RefuseAll(ctx context.Context, send Send) error {
	b.mu.Lock()
	var list []Answer
	for _, p := range b.list {
		if p.stage == open || p.stage == deferred || p.stage == refusable {
			p.stage = underway
			list = append(list, p.Refusal(""))
		}
	}
	b.queue = nil
	b.mu.Unlock()
	return b.sendAll(ctx, list, send)
}

// Defer makes the book defer answers from now on, or not.
func (b *Book) Defer(on bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.defers = on
}

// Release sends the deferred answers, in order, unless the server still does not accept one.
// From then on, answers are not deferred.
func (b *Book) Release(ctx context.Context, send Send) error {
	var failed []error
	for {
		b.mu.Lock()
		if len(b.queue) == 0 {
			b.defers = false
			b.mu.Unlock()
			return errors.Join(failed...)
		}
		next := b.queue[0]
		b.queue = b.queue[1:]
		b.find(next.Request).stage = underway
		b.mu.Unlock()
		err := send(ctx, next)
		b.sent(next, err)
		if errors.Is(err, ErrLater) {
			return errors.Join(failed...)
		}
		failed = append(failed, err)
	}
}

// Await waits until n answers are deferred, at least one, and returns them. The caller
// delivers them.
func (b *Book) Await(ctx context.Context, n int) ([]Answer, error) {
	for ctx.Err() == nil {
		list, more := b.take(n)
		if list != nil {
			return list, nil
		}
		select {
		case <-more:
		case <-ctx.Done():
		}
	}
	return nil, ctx.Err()
}

// take returns the deferred answers if there are n, or a channel that is closed when there
// is another.
func (b *Book) take(n int) (list []Answer, more <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) < max(n, 1) {
		if b.more == nil {
			b.more = make(chan struct{})
		}
		return nil, b.more
	}
	list, b.queue = b.queue, nil
	for _, a := range list {
		b.find(a.Request).stage = underway
	}
	return list, nil
}

// answer sends the answers that to returns for undecided requests.
func (b *Book) answer(ctx context.Context, send Send, to func(Request) (Answer, bool)) error {
	b.mu.Lock()
	var list []Answer
	for _, p := range b.list {
		if a, ok := to(p.Request); ok && (p.stage == open || p.stage == refusable && !a.Allows()) {
			p.stage = underway
			list = append(list, a)
		}
	}
	if len(list) > 1 {
		for i := range list {
			list[i] = list[i].Refusal(ambiguous)
		}
	}
	if b.defers {
		b.later(list...)
		list = nil
	}
	b.mu.Unlock()
	return b.sendAll(ctx, list, send)
}

func (b *Book) sendAll(ctx context.Context, list []Answer, send Send) error {
	var failed []error
	for _, a := range list {
		err := send(ctx, a)
		b.sent(a, err)
		if !errors.Is(err, ErrLater) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// sent records whether an answer has arrived.
func (b *Book) sent(a Answer, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.find(a.Request)
	switch {
	case p == nil || p.stage == settled:
	case errors.Is(err, ErrLater):
		b.later(a)
	case err != nil:
		p.stage = refusable
	default:
		p.stage = settled
		b.queue = slices.DeleteFunc(b.queue, func(o Answer) bool { return o.same(a.Request) })
	}
}

// later defers answers. The caller holds mu.
func (b *Book) later(list ...Answer) {
	for _, a := range list {
		b.find(a.Request).stage = deferred
	}
	b.queue = append(b.queue, list...)
	if b.more != nil {
		close(b.more)
		b.more = nil
	}
}

// find returns a request, or nil if it is unknown. The caller holds mu.
func (b *Book) find(q Request) *pending {
	for _, p := range b.list {
		if p.same(q) {
			return p
		}
	}
	return nil
}
