package ethos

import (
	"maps"
	"slices"
	"sync"
)

// A stage is the progress of a request from Ethos.
type stage int

const (
	open      stage = iota // undecided
	underway               // an answer is being sent
	refusable              // the answer may not have arrived: only a refusal may follow it
	settled                // it was answered, here or elsewhere
)

// A wait is an approval or a question that Ethos waits for.
type wait struct {
	call  string // the id of the call that needs the approval
	stage stage
}

// maxWaits limits how many settled requests are remembered.
const maxWaits = 1 << 10

// waits holds the requests of one kind, by id. The caller that takes a request
// must answer it. Each is answered once, and after a first decision it is never
// permitted.
type waits map[string]*wait

// add adds a request, and reports whether it is new: streams repeat themselves.
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

// take takes an undecided request.
func (w waits) take(id string) bool {
	is := w[id]
	if is == nil || is.stage != open {
		return false
	}
	is.stage = underway
	return true
}

// answered records whether an answer has arrived.
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

// takeAll takes all requests that can be refused.
func (w waits) takeAll() (ids []string) {
	for _, id := range slices.Sorted(maps.Keys(w)) {
		if is := w[id]; is.stage == open || is.stage == refusable {
			is.stage = underway
			ids = append(ids, id)
		}
	}
	return ids
}

// pending holds the requests that Ethos waits for.
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

// takeApprovals takes the approval with this id. If id is empty, it takes all
// approvals of the call.
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

// takeQuestion takes a question. It returns false if nothing waits for its answer.
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

// takeAll takes all requests that can be refused.
func (p *pending) takeAll() (approvals, questions []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.approvals.takeAll(), p.questions.takeAll()
}
