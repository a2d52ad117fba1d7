package acp

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"

	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// An ask is a request of the agent that the user is to answer: for a
// permission, or by a form.
type ask struct {
	id        json.RawMessage
	name      string // by which the person is asked; "" while nobody is
	call      string // the call that the user is asked about
	offers    []offer
	form      *form
	cancelled <-chan struct{} // of the turn
}

// refusal is the answer where nobody decided.
func (a *ask) refusal() any {
	if a.form != nil {
		return v1.ElicitationResponse{Action: v1.ElicitCancel}
	}
	return v1.RequestPermissionResponse{Outcome: v1.PermissionOutcome{Outcome: v1.OutcomeCancelled}}
}

// asks are those that wait for an answer. Each is answered once.
type asks struct {
	mu        sync.Mutex
	cancelled <-chan struct{} // of the turn that runs; nil where nobody can be asked
	byID      map[string]*ask
}

func newAsks() *asks { return &asks{byID: make(map[string]*ask)} }

// accept says that a turn runs, in which the user can be asked.
func (s *asks) accept(cancelled <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancelled = cancelled
}

// Reasons for which nobody is asked.
var (
	errNobody  = errors.New("there is nobody to ask: no turn runs, or it was cancelled")
	errTooMany = errors.New("too much is asked at once")
)

// add takes a request. The error is why it cannot be asked. Where an open one has
// its id, that is returned to be refused too: the answer to one would be taken
// for that to the other.
func (s *asks) add(a *ask) (double *ask, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if double = s.byID[string(a.id)]; double != nil {
		delete(s.byID, string(a.id))
		return double, errDouble
	}
	select {
	case <-s.cancelled:
		return nil, errNobody
	default:
	}
	switch {
	case s.cancelled == nil:
		return nil, errNobody
	case len(s.byID) >= maxAsked:
		return nil, errTooMany
	}
	a.id, a.cancelled = bytes.Clone(a.id), s.cancelled
	s.byID[string(a.id)] = a
	return nil, nil
}

var errDouble = errors.New("its id is that of a request that waits")

// name says by which name, and about which call, the user is asked. It is false
// where that was settled before anybody was asked.
func (s *asks) name(id []byte, name, call string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.byID[string(id)]
	if a != nil {
		a.name, a.call = name, call
	}
	return a != nil
}

// take returns the request that was asked by a name, to be answered. Without a
// name it returns those about a call, which may be more than one.
func (s *asks) take(name, call string) (taken []*ask) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, a := range s.byID {
		// "" is the name of what nobody is asked yet.
		if name != "" && a.name == name || name == "" && a.name != "" && a.form == nil && a.call == call {
			delete(s.byID, key)
			taken = append(taken, a)
		}
	}
	return taken
}

// withdraw returns the request of an id, which will not be answered by anybody.
func (s *asks) withdraw(id []byte) *ask {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.byID[string(id)]
	delete(s.byID, string(id))
	return a
}

// clear returns all, to be refused, and takes no more until accept.
func (s *asks) clear() []*ask {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancelled = nil
	all := make([]*ask, 0, len(s.byID))
	for _, a := range s.byID {
		all = append(all, a)
	}
	clear(s.byID)
	return all
}

// unasked refuses what the decoder could make no question of.
func (l *conn) unasked(id []byte, err error) {
	if a := l.asks.withdraw(id); a != nil {
		l.log.Warn("refused what cannot be asked", "error", err)
		l.rpc.Respond(a.id, a.refusal())
	}
}

// refuse answers all that is open.
func (l *conn) refuse() {
	for _, a := range l.asks.clear() {
		l.rpc.Respond(a.id, a.refusal())
	}
}

// cancel refuses what the agent waits for, which not every agent does itself,
// and tells it to stop.
func (l *conn) cancel() {
	l.refuse()
	l.mu.Lock()
	session := l.session
	l.mu.Unlock()
	l.rpc.Notify(v1.MethodSessionCancel, v1.CancelNotification{SessionID: session})
}
