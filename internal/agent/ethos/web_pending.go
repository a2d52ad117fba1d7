package ethos

import (
	"maps"
	"slices"
	"sync"
)

// A stage says how far something that Ethos waits for is.
type stage int

const (
	open      stage = iota // nobody has decided
	underway               // an answer is on its way
	refusable              // that answer may not have arrived: only a refusal may follow it
	settled                // it was answered, here or elsewhere
)

// A wait is an approval or a question that Ethos waits for.
type wait struct {
	call  string // the id of the call that an approval is for
	stage stage
}

// maxWaits bounds what is remembered of what was settled.
const maxWaits = 1 << 10

// waits are those of one kind, by their ids. Whoever takes one answers it: each is
// answered once, and what was decided once is never permitted afterwards.
type waits map[string]*wait

// add remembers one, and reports whether it was not known: streams repeat
// themselves.
func (w waits) add(id, call string) bool {
	if w[id] != nil {
		return false
	}
	if len(w) >= maxWaits {
		maps.DeleteFunc(w, func(_ string, is *wait) bool { return is.stage == settled })
	}
	w[id] = &wait{call: call}
	return true
}

// take takes one that nobody has decided.
func (w waits) take(id string) bool {
	is := w[id]
	if is == nil || is.stage != open {
		return false
	}
	is.stage = underway
	return true
}

// answered says how passing an answer on went.
func (w waits) answered(id string, arrived bool) {
	is := w[id]
	switch {
	case is == nil || is.stage == settled:
	case arrived:
		is.stage = settled
	default:
		is.stage = refusable
	}
}

// takeAll takes all that can be refused.
func (w waits) takeAll() (ids []string) {
	for _, id := range slices.Sorted(maps.Keys(w)) {
		if is := w[id]; is.stage == open || is.stage == refusable {
			is.stage = underway
			ids = append(ids, id)
		}
	}
	return ids
}

// pending is what Ethos waits for.
type pending struct {
	mu                   sync.Mutex
	approvals, questions waits
}

func newPending() *pending {
	return &pending{approvals: make(waits), questions: make(waits)}
}

func (p *pending) addApproval(id, call string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.approvals.add(id, call)
}

// takeApprovals takes the approval of an id. Without one it takes those of a
// call, which may be more than one.
func (p *pending) takeApprovals(id, call string) (ids []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id != "" {
		if p.approvals.take(id) {
			ids = append(ids, id)
		}
		return ids
	}
	for _, id := range slices.Sorted(maps.Keys(p.approvals)) {
		if p.approvals[id].call == call && p.approvals.take(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (p *pending) answeredApproval(id string, arrived bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.approvals.answered(id, arrived)
}

func (p *pending) addQuestion(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.questions.add(id, "")
}

// takeQuestion takes a question; false where nobody waits for its answer.
func (p *pending) takeQuestion(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.questions.take(id)
}

func (p *pending) answeredQuestion(id string, arrived bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.questions.answered(id, arrived)
}

// takeAll takes all that can be refused.
func (p *pending) takeAll() (approvals, questions []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.approvals.takeAll(), p.questions.takeAll()
}
