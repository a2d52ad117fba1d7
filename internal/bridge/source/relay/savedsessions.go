package relay

import (
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// keepsSessions reports whether the relay saves sessions. The caller holds the lock.
func (r *relay) keepsSessions() bool { return r.archive.Store != nil && r.client.mends() }

// offered returns an initialize response with the capabilities that the journal adds
// for an agent that does not save its sessions itself.
func (r *relay) offered(result []byte) []byte {
	if r.archive.Store == nil {
		return result
	}
	can := abilities(result)
	able, _, _ := rawmsg.Member(result, "agentCapabilities")
	sessions, _, _ := rawmsg.Member(able, "sessionCapabilities")
	for _, missing := range []struct {
		able bool
		name string
	}{{can.list, "list"}, {can.resume, "resume"}, {can.remove, "delete"}, {can.fork || !r.client.forks, "fork"}} {
		if !missing.able {
			sessions = withMember(sessions, missing.name, []byte("{}"))
		}
	}
	able = withMember(able, "sessionCapabilities", sessions)
	for _, missing := range []struct {
		able bool
		name string
	}{{can.title, v1.TitleMeta}, {can.fork || !r.client.forks, v1.ForkMeta}} {
		if !missing.able {
			meta, _, _ := rawmsg.Member(able, "_meta")
			able = withMember(able, "_meta", withMember(meta, missing.name, []byte("true")))
		}
	}
	if !can.load {
		able = withMember(able, "loadSession", []byte("true"))
	}
	return withMember(result, "agentCapabilities", able)
}

// ableTo reports whether the agent supports a session method. The caller holds the
// lock.
func (u *upstream) ableTo(method string) bool {
	switch method {
	case v1.MethodSessionLoad:
		return u.handshake.able.load
	case v1.MethodSessionResume:
		return u.handshake.able.resume
	case v1.MethodSessionList:
		return u.handshake.able.list
	case v1.MethodSessionDelete:
		return u.handshake.able.remove
	case v1.MethodSetTitle:
		return u.handshake.able.title
	case v1.MethodSessionFork:
		return u.handshake.able.fork || !u.relay.client.forks
	}
	return true
}

// saved takes over a request about saved sessions if the agent cannot handle it itself.
// Whether it can is known once it is initialized. A request to fork a session that is being
// opened waits in that session's queue instead, where no prompt overtakes it. The caller holds
// the lock.
func (r *relay) saved(q *request) bool {
	switch q.method {
	case v1.MethodSessionLoad, v1.MethodSessionResume, v1.MethodSessionList, v1.MethodSessionDelete, v1.MethodSetTitle, v1.MethodSessionFork:
	default:
		return false
	}
	if !r.keepsSessions() {
		return false
	}
	u, err := r.upstreamOf(q)
	id := rawmsg.MemberText(q.params, "sessionId")
	if s := r.sessions[id]; s != nil && (s.forgotten || q.method == v1.MethodSessionFork && err == nil && s.memory.queues(u)) {
		return false
	}
	if err != nil || u.handshake.ready && u.ableTo(q.method) && !r.mayKnowMore(q, id) {
		return false // it is passed on as usual
	}
	k := &keptRequest{request: q, up: u}
	if !k.reserve() {
		return true
	}
	u.needed++
	r.work.Go(func() {
		defer func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.ending && k.replaced != nil { // Close doesn't end it
				r.archive.end(k.replaced.id, &k.replaced.record)
			}
			u.needed--
			u.retire()
		}()
		select {
		case <-u.handshake.done:
		case <-r.ctx.Done():
			return
		}
		remote := ""
		if strings.HasPrefix(id, provisionalPrefix) {
			remote = r.archive.remote(id)
		}
		isUnknown := q.opensSaved() && r.archive.isUnknown(id)
		var unknown error
		if q.method == v1.MethodSessionFork {
			_, unknown = r.archive.Store.Describe(id)
		}
		r.mu.Lock()
		q.remote = remote
		if u.handshake.failed != nil || u.ableTo(q.method) && !isUnknown || !r.requests.waits(q) {
			k.passOn()
			r.mu.Unlock()
			return
		}
		if q.method == v1.MethodSessionFork {
			k.fork(unknown)
			r.mu.Unlock()
			return
		}
		q.serving = true
		r.mu.Unlock()
		k.serve()
	})
	return true
}

// queues reports whether the session's queue waits until a process has opened the session: u,
// if the agent had ended. The caller holds the lock.
func (m *memory) queues(u *upstream) bool { return m.opening || m.lost && !u.handshake.ready }

// A keptRequest is a request about saved sessions that the relay answers from the
// journal, because the agent cannot.
type keptRequest struct {
	*request
	up *upstream // continues the session

	opening  *session // the session that the request opens; nil if it opens none
	replaced *session // the one with the same id before, or nil
}

// opensSaved reports whether the request opens a saved session.
func (q *request) opensSaved() bool {
	return q.method == v1.MethodSessionLoad || q.method == v1.MethodSessionResume
}

// reserve registers the session that the request opens, so that the requests behind it
// wait until it is open. If that is impossible, it fails the request and returns false.
// The caller holds the lock.
func (k *keptRequest) reserve() bool {
	if !k.opensSaved() {
		return true
	}
	r, id := k.up.relay, rawmsg.MemberText(k.params, "sessionId")
	open := r.sessions[id]
	if open != nil && open.isBusy() {
		r.requests.fail(k.request, errBusy(open))
		return false
	}
	s := r.newSession(id, id, k.params)
	s.memory.opening = true
	s.loading++
	r.sessions[id] = s
	k.opening, k.replaced = s, open
	return true
}

// passOn passes the request on to the agent unless it was cancelled, and then the requests
// that waited for it. The caller holds the lock.
func (k *keptRequest) passOn() {
	r := k.up.relay
	var waiting []*request
	if s := k.opening; s != nil {
		waiting = s.turn.takeQueue()
		s.forgotten = true
		delete(r.sessions, s.id)
		if k.replaced != nil {
			r.sessions[s.id] = k.replaced
		}
	}
	if r.requests.waits(k.request) {
		r.pass(k.request)
	}
	passAgain(r, waiting)
}

// passAgain passes on requests that waited in the queue of a session that is gone. The caller holds
// the lock.
func passAgain(r *relay, waiting []*request) {
	for _, q := range waiting {
		q.session = nil
		if !r.saved(q) {
			r.pass(q)
		}
	}
}

// opened passes on the requests that waited until the session was open, or fails them.
// The caller holds the lock.
func (k *keptRequest) opened(err error) {
	s := k.opening
	if s == nil {
		return
	}
	s.loading--
	s.memory.opening = false
	if err != nil {
		notOpened(s, err)
		if s.up != nil { // an agent that is late may still replay the history
			s.up.names.close(s)
		}
		return
	}
	s.release()
}

// serve answers the request. The caller must not hold the lock.
func (k *keptRequest) serve() {
	r := k.up.relay
	var result []byte
	var err error
	switch k.method {
	case v1.MethodSessionList:
		result, err = k.list()
	case v1.MethodSessionDelete:
		result, err = []byte("{}"), k.remove()
	case v1.MethodSetTitle:
		result, err = k.retitle()
	default:
		result, err = k.load()
	}
	if err != nil && k.replaced != nil {
		err = &core.ClosedError{Err: err}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.requests.fail(k.request, err)
	} else {
		r.requests.reply(k.request, result)
	}
	k.opened(err)
}

func (k *keptRequest) list() ([]byte, error) {
	r := k.up.relay
	list, err := r.archive.List(rawmsg.MemberText(k.params, "cwd"), rawmsg.MemberText(k.params, "cursor"))
	if err != nil {
		return nil, err
	}
	return v1.AppendValue(nil, list), nil
}

func (k *keptRequest) retitle() ([]byte, error) {
	r := k.up.relay
	id, title := rawmsg.MemberText(k.params, "sessionId"), core.Title(rawmsg.MemberText(k.params, "title"))
	if title == "" {
		return nil, protocol.Errorf(protocol.CodeInvalidParams, "title is missing")
	}
	r.mu.Lock()
	var to *journal.Recorder
	if s := r.sessions[id]; s != nil {
		to = s.record.to
	}
	r.mu.Unlock()
	var err error
	if to != nil {
		err = to.Retitle(title, true)
	} else {
		err = r.archive.Retitle(id, title)
	}
	return v1.AppendValue(nil, v1.SetSessionTitleResponse{Title: title}), err
}

// fork forks a session for an agent that cannot: the agent opens a new session, whose
// journal begins as a copy. It must not resume or load the original, because then two
// sessions would share one conversation. unknown is not nil if the store doesn't have the
// original. The caller holds the lock.
func (k *keptRequest) fork(unknown error) {
	r, q := k.up.relay, k.request
	from := rawmsg.MemberText(q.params, "sessionId")
	s := r.sessions[from] // it may not be in the store yet
	// While it is being opened, it may not exist.
	if unknown != nil && s != nil && (s.memory.unconfirmed || s.memory.opening) {
		q.session = s
		s.turn.queue = append(s.turn.queue, q)
		return
	}
	q.serving = true
	if unknown != nil && s == nil {
		r.requests.fail(q, core.SessionError(from, unknown))
		return
	}
	u, err := r.upstreamOf(q)
	if err != nil {
		r.requests.fail(q, err)
		return
	}
	q.forking.forgets = unforked
	u.forward(q)
}

// isBusy reports whether a prompt is running, or the session is being opened. If the session
// were forgotten, the prompt would never be answered, and the agent's updates would reach the
// client under an unknown id. The caller holds the lock.
func (s *session) isBusy() bool { return s.turn.isRunning() || isOpening(s) }

// errBusy returns the error for a request that isBusy rules out.
func errBusy(s *session) error {
	if isOpening(s) {
		return protocol.Errorf(protocol.CodeInvalidRequest, "the session %q is being opened", s.id)
	}
	return protocol.Errorf(protocol.CodeInvalidRequest, "a prompt is running in session %q", s.id)
}

func (k *keptRequest) remove() error {
	r, id := k.up.relay, rawmsg.MemberText(k.params, "sessionId")
	r.mu.Lock()
	if r.requests.copies(id) { // the copy would be empty
		r.mu.Unlock()
		return protocol.Errorf(protocol.CodeInvalidRequest, "the session %q is being copied", id)
	}
	open := r.sessions[id]
	if open != nil {
		if open.isBusy() {
			r.mu.Unlock()
			return errBusy(open)
		}
		drop(open)
	}
	r.mu.Unlock()
	err := r.archive.remove(id)
	if err != nil && open != nil { // another process opened it meanwhile
		err = &core.ClosedError{Err: err}
	}
	return err
}

// load opens a session from the journal, for an agent that cannot load it or show its
// history itself. The agent resumes the session if it can, or opens a new one.
func (k *keptRequest) load() (result []byte, err error) {
	r, s := k.up.relay, k.opening
	if k.replaced != nil {
		r.mu.Lock()
		drop(k.replaced)
		r.mu.Unlock()
	}
	resumed, err := r.archive.resume(s.id)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	if r.ending { // Close may not wait for this
		r.archive.end(s.id, &resumed)
		r.mu.Unlock()
		return nil, protocol.Errorf(protocol.CodeRequestCancelled, "the connection is ending")
	}
	s.record = resumed
	r.mu.Unlock()
	if err := s.replay(k.method == v1.MethodSessionLoad, core.Interrupted); err != nil {
		return nil, err
	}
	answered, knows, err := k.up.open(r.ctx, s)
	r.mu.Lock()
	s.memory.replay = false
	if !knows {
		s.memory.forgets = forgotten
	}
	r.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return rawmsg.Without(clean(answered), "sessionId"), nil
}
