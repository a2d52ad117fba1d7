package ethos

import (
	"maps"
	"slices"
	"sync"
)

// pending are the approvals and questions that Ethos waits for. Whoever takes
// one answers it: each is answered once.
type pending struct {
	mu        sync.Mutex
	approvals map[string][]string // by the id of the call, in order
	questions map[string]struct{}
}

func newPending() *pending {
	return &pending{approvals: make(map[string][]string), questions: make(map[string]struct{})}
}

// addApproval remembers an approval for a call.
func (p *pending) addApproval(callID, approvalID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.approvals[callID], approvalID) { // it is sent again behind a break
		p.approvals[callID] = append(p.approvals[callID], approvalID)
	}
}

// takeApprovals takes those of a call: more than one where two calls that wait
// have the same id.
func (p *pending) takeApprovals(callID string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	ids := p.approvals[callID]
	delete(p.approvals, callID)
	return ids
}

// dropApproval forgets one that was answered elsewhere.
func (p *pending) dropApproval(approvalID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for callID, ids := range p.approvals {
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == approvalID })
		if p.approvals[callID] = ids; len(ids) == 0 {
			delete(p.approvals, callID)
		}
	}
}

// addQuestion remembers a question.
func (p *pending) addQuestion(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.questions[id] = struct{}{}
}

// takeQuestion takes a question; false where nobody waits for its answer.
func (p *pending) takeQuestion(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.questions[id]
	delete(p.questions, id)
	return ok
}

// takeAll takes all.
func (p *pending) takeAll() (approvals, questions []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, callID := range slices.Sorted(maps.Keys(p.approvals)) {
		approvals = append(approvals, p.approvals[callID]...)
	}
	questions = slices.Sorted(maps.Keys(p.questions))
	clear(p.approvals)
	clear(p.questions)
	return approvals, questions
}
