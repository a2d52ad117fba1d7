package lifecycle

import (
	"context"
	"sync"
	"time"
)

// Answers holds the user's answers to the requests of a turn, by the request's id. An
// answer may arrive before the turn waits for it, as soon as the request is shown. The
// zero value drops answers until Begin is called.
type Answers[A any] struct {
	mu      sync.Mutex
	byID    map[string]A
	changed chan struct{}
}

// Begin drops the answers of the previous turn.
func (a *Answers[A]) Begin() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.byID = make(map[string]A)
	a.changed = make(chan struct{}, 1)
}

// Add records an answer. Only the first one to a request counts.
func (a *Answers[A]) Add(id string, answer A) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byID == nil {
		return // no turn has begun
	}
	if _, given := a.byID[id]; given {
		return
	}
	a.byID[id] = answer
	select {
	case a.changed <- struct{}{}:
	default:
	}
}

// Wait returns and forgets the answers to ids, once each has one, or once there is one
// for which enough returns true. enough may be nil.
func (a *Answers[A]) Wait(ctx context.Context, ids []string, enough func(A) bool) (map[string]A, error) {
	for {
		if answers, ok := a.take(ids, enough); ok {
			return answers, nil
		}
		select {
		case <-a.changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// A Group is requests that belong together. Either all of them are answered, or none.
type Group struct {
	IDs     []string
	Expires time.Time // zero means never
}

// WaitAll is like Wait for the requests of all groups, but doesn't wait for groups that have
// expired. It calls expire with their indexes.
func (a *Answers[A]) WaitAll(ctx context.Context, groups []Group, expire func(i int)) (map[string]A, error) {
	expired := make([]bool, len(groups))
	for {
		var ids []string
		var next time.Time
		for i, g := range groups {
			switch {
			case expired[i]:
				continue
			case g.Expires.IsZero():
			case !g.Expires.After(time.Now()):
				expired[i] = true
				expire(i)
				continue
			case next.IsZero() || g.Expires.Before(next):
				next = g.Expires
			}
			ids = append(ids, g.IDs...)
		}
		limited, done := ctx, context.CancelFunc(func() {})
		if !next.IsZero() {
			limited, done = context.WithDeadline(ctx, next)
		}
		answers, err := a.Wait(limited, ids, nil)
		done()
		if err == nil || ctx.Err() != nil {
			return answers, err
		}
	}
}

func (a *Answers[A]) take(ids []string, enough func(A) bool) (answers map[string]A, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	answers = make(map[string]A)
	missing := false
	for _, id := range ids {
		answer, given := a.byID[id]
		if !given {
			missing = true
			continue
		}
		answers[id] = answer
		ok = ok || enough != nil && enough(answer)
	}
	if missing && !ok {
		return nil, false
	}
	for id := range answers {
		delete(a.byID, id) // a later request may have the same id
	}
	return answers, true
}
