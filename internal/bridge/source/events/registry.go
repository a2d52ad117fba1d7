package events

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/turnwire/turnwire/protocol"
)

// A registry holds a source's open sessions and enforces their limit. mu guards all
// fields except limit.
type registry struct {
	limit int // maximum number of open sessions

	mu        sync.Mutex
	sessions  map[string]*session
	reopening map[string][]*reopening // saved sessions that are being opened
	open      int                     // number of sessions, including those being opened or closed
	begun     bool                    // a session was opened
	ending    bool                    // the source was stopped
}

// A reopening opens a saved session.
type reopening struct {
	done   chan struct{} // closed at its end
	opened *session      // set before that; nil if the session could not be opened
}

// reserve reserves a place for one more session.
func (r *registry) reserve() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open >= r.limit {
		return protocol.Errorf(protocol.CodeInvalidRequest,
			"the limit of %d open sessions is reached; close one, or start turnwire with a larger --max-sessions", r.open)
	}
	r.open++
	r.begun = true
	return nil
}

// release frees a reserved place.
func (r *registry) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open--
}

// hasBegun reports whether a session was opened.
func (r *registry) hasBegun() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.begun
}

// add adds a session, unless the source was stopped or ctx is done.
func (r *registry) add(ctx context.Context, s *session) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ending || ctx.Err() != nil {
		return false
	}
	r.sessions[s.peers.id] = s
	s.record.begin() // an editor may close it before the first prompt, and reopen it later
	return true
}

// get returns the session with an id. The lock is not held on return.
func (r *registry) get(id string) (*session, error) {
	if id == "" {
		return nil, missing("sessionId")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s, ok := r.sessions[id]
	if !ok {
		return nil, errUnknown(id)
	}
	return s, nil
}

func errUnknown(id string) error {
	return protocol.Errorf(protocol.CodeNotFound, "unknown session %q", id).With("sessionId", id)
}

func (r *registry) forget(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.sessions, id)
}

// forgetOne removes a session, unless it was opened again.
func (r *registry) forgetOne(s *session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sessions[s.peers.id] == s {
		delete(r.sessions, s.peers.id)
	}
}

// reopen records that a session is being opened. end must be called with the session, or with
// nil if it could not be opened.
func (r *registry) reopen(id string) (end func(*session)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := &reopening{done: make(chan struct{})}
	r.reopening[id] = append(r.reopening[id], one)
	return func(s *session) {
		r.mu.Lock()
		defer r.mu.Unlock()
		one.opened = s
		close(one.done)
		r.reopening[id] = slices.DeleteFunc(r.reopening[id], func(o *reopening) bool { return o == one })
		if len(r.reopening[id]) == 0 {
			delete(r.reopening, id)
		}
	}
}

// reopenings returns what is opening a session.
func (r *registry) reopenings(id string) []*reopening {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.reopening[id])
}

// close closes a session, and waits until it is saved, or until ctx is done. It reports whether
// the session was open.
func (r *registry) close(ctx context.Context, id string) bool {
	s, err := r.get(id)
	if err != nil {
		return false
	}
	r.forget(id)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
	defer cancel()
	s.close(closing)
	select {
	case <-s.loop.done:
	case <-ctx.Done():
	}
	return true
}

// end removes and returns all sessions, ordered by id. No session can be added afterwards.
func (r *registry) end() []*session {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ending = true
	var all []*session
	for _, id := range slices.Sorted(maps.Keys(r.sessions)) {
		all = append(all, r.sessions[id])
	}
	clear(r.sessions)
	return all
}

// isEnding reports whether the source was stopped.
func (r *registry) isEnding() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ending
}
