package acp

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// An ask is a request of the agent that the person is to answer: for a
// permission, or by a form.
type ask struct {
	id     json.RawMessage
	name   string // by which the person is asked; "" while nobody is
	offers []offer
	form   *form
}

// refusal is the answer where nobody decided.
func (a *ask) refusal() any {
	if a.form != nil {
		return elicited{Action: "cancel"}
	}
	return v1.RequestPermissionResponse{Outcome: v1.PermissionOutcome{Outcome: v1.OutcomeCancelled}}
}

// asks are those that wait for an answer. Each is answered once.
type asks struct {
	mu     sync.Mutex
	open   bool // a turn runs, and was not cancelled
	byID   map[string]*ask
	byName map[string]*ask
}

func newAsks() *asks { return &asks{byID: make(map[string]*ask), byName: make(map[string]*ask)} }

// accept says whether there is somebody to ask.
func (s *asks) accept(yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = yes
}

// add takes a request; false where it cannot be asked.
func (s *asks) add(a *ask) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := string(a.id)
	if !s.open || len(s.byID) >= maxAsked || s.byID[key] != nil {
		return false
	}
	a.id = bytes.Clone(a.id)
	s.byID[key] = a
	return true
}

// name says by which name the person is asked. Two requests of one name could
// not be told apart when the answer comes, and so the second is given back, to
// be refused.
func (s *asks) name(id []byte, name string) (ok bool, double *ask) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.byID[string(id)]
	switch {
	case a == nil:
		return false, nil // it was settled before anybody was asked
	case s.byName[name] != nil:
		delete(s.byID, string(id))
		return false, a
	}
	a.name = name
	s.byName[name] = a
	return true, nil
}

// take returns the request that was asked by a name, to be answered.
func (s *asks) take(name string) *ask {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.byName[name]
	s.remove(a)
	return a
}

// withdraw returns the request of an id, which the agent has taken back.
func (s *asks) withdraw(id []byte) *ask {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.byID[string(id)]
	s.remove(a)
	return a
}

func (s *asks) remove(a *ask) {
	if a != nil {
		delete(s.byID, string(a.id))
		delete(s.byName, a.name) // "" while nobody is asked, which is nobody's
	}
}

// clear returns all, to be refused, and takes no more until accept.
func (s *asks) clear() []*ask {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = false
	all := make([]*ask, 0, len(s.byID))
	for _, a := range s.byID {
		all = append(all, a)
	}
	clear(s.byID)
	clear(s.byName)
	return all
}

// name notes by which name the person is asked about a request of the agent; it
// is what the decoder calls.
func (l *link) name(id []byte, name string) bool {
	ok, double := l.asks.name(id, name)
	if double != nil {
		l.log.Warn("refused a request while the person is asked about the same call", "name", name)
		l.respond(double.id, double.refusal())
	}
	return ok
}

// refuse answers all that is open.
func (l *link) refuse() {
	for _, a := range l.asks.clear() {
		l.respond(a.id, a.refusal())
	}
}

// cancel refuses what the agent waits for, which not every agent does itself,
// and tells it to stop.
func (l *link) cancel() {
	l.refuse()
	l.mu.Lock()
	session := l.session
	l.mu.Unlock()
	l.notify(v1.MethodSessionCancel, v1.CancelNotification{SessionID: session})
}

// confirm answers a permission request with the option that stands for what
// the person decided. Where the agent offers none, nobody has decided.
func (l *link) confirm(r agent.ConfirmationResponse) error {
	a := l.asks.take(r.ToolCallID)
	if a == nil {
		return nil // it was answered before
	}
	answer := a.refusal()
	for _, o := range a.offers {
		if o.decision == r.Decision {
			answer = v1.RequestPermissionResponse{Outcome: v1.PermissionOutcome{Outcome: v1.OutcomeSelected, OptionID: o.id}}
		}
	}
	l.respond(a.id, answer)
	return nil
}

// answer answers a form.
func (l *link) answer(r agent.QuestionResponse) error {
	a := l.asks.take(r.QuestionID)
	if a == nil || a.form == nil {
		return nil
	}
	result, err := a.form.result(r)
	l.respond(a.id, result)
	if err != nil {
		return &linkError{codeFailed, "the answer could not be given to the agent: " + err.Error(), err}
	}
	return nil
}
