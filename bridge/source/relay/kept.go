package relay

import (
	"time"

	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/bridge/kept"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/protocol"
	"github.com/turnwire/turnwire/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// offered is an answer to "initialize" with what the journal adds for an agent
// that does not keep its sessions itself.
func (r *relay) offered(result []byte) []byte {
	if r.cfg.Journal == nil {
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
	if !can.title {
		meta, _, _ := rawmsg.Member(able, "_meta")
		able = withMember(able, "_meta", withMember(meta, v1.TitleMeta, []byte("true")))
	}
	if !can.load {
		able = withMember(able, "loadSession", []byte("true"))
	}
	return withMember(result, "agentCapabilities", able)
}

// ableTo reports whether the agent has a method for its sessions. The lock is
// held.
func (u *upstream) ableTo(method string) bool {
	switch method {
	case v1.MethodSessionLoad:
		return u.able.load
	case v1.MethodSessionResume:
		return u.able.resume
	case v1.MethodSessionList:
		return u.able.list
	case v1.MethodSessionDelete:
		return u.able.remove
	case v1.MethodSetTitle:
		return u.able.title
	case v1.MethodSessionFork:
		return u.able.fork || !u.relay.client.forks
	}
	return true
}

// usesAgain reports whether an agent that does not keep its sessions has given a
// new one the id of one that is kept. The lock is held.
func (u *upstream) usesAgain(id string) bool {
	r := u.relay
	if r.cfg.Journal == nil || !r.client.mends() || u.able.load || u.able.resume {
		return false
	}
	_, err := r.cfg.Journal.Describe(id)
	return err == nil
}

// keeps takes a request about kept sessions that the agent cannot handle itself.
// What it can is known once it is initialized. The lock is held.
func (r *relay) keeps(q *request) bool {
	switch q.method {
	case v1.MethodSessionLoad, v1.MethodSessionResume, v1.MethodSessionList, v1.MethodSessionDelete, v1.MethodSetTitle, v1.MethodSessionFork:
	default:
		return false
	}
	if r.cfg.Journal == nil || !r.client.mends() {
		return false
	}
	u, err := r.upstreamOf(q)
	if err != nil || u.ready && u.ableTo(q.method) {
		return false // it is told in the usual way
	}
	u.needed++
	r.work.Go(func() {
		select {
		case <-u.initialized:
		case <-r.ctx.Done():
			return
		}
		defer func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			u.needed--
			u.retire()
		}()
		r.mu.Lock()
		if u.failed != nil || u.ableTo(q.method) {
			r.pass(q)
			r.mu.Unlock()
			return
		}
		if q.method == v1.MethodSessionFork {
			r.forkKept(q)
			r.mu.Unlock()
			return
		}
		r.mu.Unlock()
		r.serveKept(u, q)
	})
	return true
}

// serveKept answers a request from the journal.
func (r *relay) serveKept(u *upstream, q *request) {
	var result []byte
	var err error
	switch q.method {
	case v1.MethodSessionList:
		result, err = r.listKept(q.params)
	case v1.MethodSessionDelete:
		result, err = []byte("{}"), r.deleteKept(rawmsg.MemberText(q.params, "sessionId"))
	case v1.MethodSetTitle:
		result, err = r.retitleKept(q.params)
	default:
		result, err = r.loadKept(u, q)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.requests.fail(q, err)
		return
	}
	r.requests.reply(q, result)
}

func (r *relay) listKept(params []byte) ([]byte, error) {
	list, err := kept.List(r.cfg.Journal, journal.Filter{
		Agent: r.cfg.Key, Cwd: rawmsg.MemberText(params, "cwd"), Cursor: rawmsg.MemberText(params, "cursor"),
	}, r.log)
	if err != nil {
		return nil, err
	}
	return v1.AppendValue(nil, list), nil
}

func (r *relay) retitleKept(params []byte) ([]byte, error) {
	id, title := rawmsg.MemberText(params, "sessionId"), kept.Title(rawmsg.MemberText(params, "title"))
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
		err = kept.Retitle(r.cfg.Journal, id, title)
	}
	return v1.AppendValue(nil, v1.SetSessionTitleResponse{Title: title}), err
}

// forkKept makes a fork for an agent that cannot: the agent opens a new session, whose
// journal begins as a copy. It must not resume or load the original, because then two
// sessions would share one conversation. The lock is held.
func (r *relay) forkKept(q *request) {
	from := rawmsg.MemberText(q.params, "sessionId")
	if r.sessions[from] == nil { // else it may not be written yet
		if _, err := r.cfg.Journal.Describe(from); err != nil {
			r.requests.fail(q, kept.Error(from, err))
			return
		}
	}
	u, err := r.upstreamOf(q)
	if err != nil {
		r.requests.fail(q, err)
		return
	}
	q.forgets = unforked
	u.forward(q)
}

func (r *relay) deleteKept(id string) error {
	r.mu.Lock()
	if s := r.sessions[id]; s != nil {
		s.forget()
	}
	r.mu.Unlock()
	return kept.Delete(r.cfg.Journal, id)
}

// loadKept opens a session of the journal, for an agent that cannot show what was
// said, or can do nothing else than that: the agent goes on with it if it can, or
// opens a new one.
func (r *relay) loadKept(u *upstream, q *request) (result []byte, err error) {
	id := rawmsg.MemberText(q.params, "sessionId")
	r.mu.Lock()
	if open := r.sessions[id]; open != nil {
		if open.turn.isRunning() || open.memory.opening {
			r.mu.Unlock()
			return nil, protocol.Errorf(protocol.CodeInvalidRequest, "a prompt of the session %q is running", id)
		}
		open.forget()
	}
	s := r.newSession(id, id, q.params)
	s.loading++
	r.sessions[id] = s
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		s.loading--
		if err != nil {
			s.forget()
		}
	}()
	j, err := r.cfg.Journal.Own(id)
	if err != nil {
		return nil, kept.Error(id, err)
	}
	to := journal.Continue(j, r.recorders.Add)
	r.mu.Lock()
	s.record = record{to: to}
	r.mu.Unlock()
	if err := r.replayKept(s, q.method == v1.MethodSessionLoad); err != nil {
		return nil, err
	}
	answered, knows, err := u.open(r.ctx, s)
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

// replayKept shows the records of a session again. A turn that was cut off is
// ended.
func (r *relay) replayKept(s *session, shown bool) error {
	var times v1.Times
	show := func(body []byte) {
		if shown {
			n := updateNotification(s.id, body)
			n.At = times
			r.relay(n)
		}
	}
	running := false
	for rec, err := range r.cfg.Journal.Read(s.id, 1) {
		if err == nil {
			err = r.ctx.Err()
		}
		if err != nil {
			return err
		}
		if r.client.times {
			times = v1.TimesAt(rec.Time.UnixMilli())
		}
		switch rec.Type {
		case journal.TypePrompt:
			running = true
			blocks, _, _ := rawmsg.Member(rec.Data, "prompt")
			showPrompt(blocks, show)
		case journal.TypeUpdate:
			said := scan(rec.Data, nil)
			if said.wellMade && (string(said.kind) == kindCall || string(said.kind) == kindCallUpdate) {
				r.mu.Lock() // the end may close the calls meanwhile
				s.calls.note(&said)
				r.mu.Unlock()
			}
			show(rec.Data)
		case journal.TypeDecision:
			if body, ok := pastDecision(rec.Data); ok {
				show(body)
			}
		case journal.TypeAsk:
			if body, ok := pastQuestion(rec.Data, rec.Seq); ok {
				show(body)
			}
		case journal.TypeAnswer:
			running = false
			r.endPastCalls(s, shown, times)
			if body, ok := r.client.pastStop(rec.Data); ok {
				show(body)
			}
		}
	}
	r.endPastCalls(s, shown, times)
	if running {
		body := r.client.notice("This turn was interrupted: Turnwire ended before it.")
		s.record.to.AddData(time.Now(), journal.TypeUpdate, body)
		s.record.to.AddData(time.Now(), journal.TypeAnswer, []byte(`{"result":{"stopReason":"cancelled"}}`))
		show(body)
	}
	r.view.Flush()
	return nil
}

// endPastCalls ends the calls that were open when their turn ended.
func (r *relay) endPastCalls(s *session, shown bool, at v1.Times) {
	r.mu.Lock()
	ends := s.closeCalls()
	r.mu.Unlock()
	for _, n := range ends {
		if shown {
			n.At = at
			r.relay(n)
		}
	}
}

// showPrompt shows the blocks of a prompt.
func showPrompt(blocks []byte, show func(body []byte)) {
	if len(blocks) == 0 || blocks[0] != '[' {
		return
	}
	for block := range rawjson.Elements(blocks) {
		body := append([]byte(`{"sessionUpdate":"`+kindUser+`","content":`), block...)
		show(append(body, '}'))
	}
}

// deleteRecord deletes what is kept of a session that the agent has deleted. The
// lock is held.
func (r *relay) deleteRecord(q *request) {
	if r.cfg.Journal == nil {
		return
	}
	id := rawmsg.MemberText(q.params, "sessionId")
	if q.session != nil {
		q.session.closeRecord()
	}
	if err := kept.Delete(r.cfg.Journal, id); err != nil {
		r.log.Warn("the journal of a deleted session is still there", "session", id, "error", err)
	}
}
