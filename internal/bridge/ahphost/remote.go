package ahphost

import (
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A remote is a session's counterpart at its agent. It opens the session there and
// sends requests to it. It sets the record's ACP. The host's mutex guards it.
type remote struct {
	session *session // receives the agent's updates
	agent   *agent
	record  *record
	opening []func(error) // called once the session is open
	isOpen  bool
	steers  bool   // the agent reads messages during a turn
	self    string // the hub's name for this host
	// isAttaching is set from attach to its response: until then, the updates are
	// history.
	isAttaching bool
	reopened    int // how often others closed the session before this host was attached
	messages    messages
	catchUp     *catchUp // nil unless clients follow the chat, and its history arrives
	rest        *rest    // of the turn that was running when the session was lost, or nil
	// wasLost is set if other clients may have continued the session since its updates
	// ended.
	wasLost bool
	// hasEnded is set if the hub's session ended. What clients do in a history that follows,
	// they have done since then.
	hasEnded bool
}

// connect calls then once the session is open at the agent, which may have to start
// first.
func (r *remote) connect(then func(error)) {
	if r.isOpen {
		then(nil)
		return
	}
	r.opening = append(r.opening, then)
	if len(r.opening) > 1 {
		return
	}
	r.reopened = 0
	r.agent.connect(func(u *upstream, err error) {
		switch {
		case err != nil:
			r.connected(err)
		case r.record.ACP == "":
			r.create(u)
		default:
			r.resume(u)
		}
	})
}

func (r *remote) connected(err error) {
	waiting := r.opening
	r.opening = nil
	for _, then := range waiting {
		then(err)
	}
}

// isOpening reports whether a caller waits until the session is open.
func (r *remote) isOpening() bool { return len(r.opening) > 0 }

// isSelf reports whether the hub's name for a client is this host's.
func (r *remote) isSelf(by string) bool { return by == r.self }

// folders returns the params of a request that opens the session.
func (r *remote) folders() map[string]any {
	params := map[string]any{"cwd": r.record.Folders[0], "mcpServers": []any{}}
	if more := r.record.Folders[1:]; len(more) > 0 {
		params["additionalDirectories"] = more
	}
	return params
}

// create makes the agent open a new session.
func (r *remote) create(u *upstream) {
	u.call(v1.MethodSessionNew, r.folders(), func(result, failure []byte) {
		var opened v1.NewSessionResponse
		err := decoded(result, failure, &opened)
		if err == nil && opened.SessionID == "" {
			err = errors.New("the agent opened a session without an ID")
		}
		if err != nil {
			r.connected(fmt.Errorf("the agent cannot open a session: %w", err))
			return
		}
		r.record.ACP = opened.SessionID
		r.steers = u.steers
		r.noteSteering(opened.Meta)
		s, h := r.session, r.agent.host
		h.sessions.placed(s)
		s.choices.set(opened.ConfigOptions, opened.Modes)
		s.choices.share()
		if !h.sessions.has(s) { // it was disposed of meanwhile
			r.attach(u)
			return
		}
		// After a crash, the host can only find the session's history by this id. So
		// use the session only once the id is on disk.
		h.saver.keep(*r.record, func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			r.attach(u)
		})
	})
}

// resume makes the agent continue the session. Its history comes with attach, without a
// gap before later updates. session/load would leave one.
func (r *remote) resume(u *upstream) {
	params := r.folders()
	params["sessionId"] = r.record.ACP
	u.call(v1.MethodSessionResume, params, func(result, failure []byte) {
		var opened v1.ResumeSessionResponse
		if err := decoded(result, failure, &opened); err != nil {
			r.connected(fmt.Errorf("the session cannot be opened: %w", err))
			return
		}
		r.steers = u.steers
		r.noteSteering(opened.Meta)
		r.session.choices.set(opened.ConfigOptions, opened.Modes)
		r.attach(u)
	})
}

// maxReopened bounds how often a session is opened again that others close meanwhile. They may
// all leave at the same moment, but not again and again.
const maxReopened = 3

// attach subscribes to the session's updates. The history precedes the response. Other clients
// may have closed the session since it was opened, because they don't know of this host; then
// it is opened again.
func (r *remote) attach(u *upstream) {
	id := r.record.ACP
	u.sessions[id], r.isAttaching = r.session, true
	if !r.session.chat.ready() {
		r.session.beginHistory()
	}
	u.call(methodAttach, map[string]string{"sessionId": id, "historyPolicy": "full"}, func(result, failure []byte) {
		var attached struct {
			ClientID string `json:"clientId"`
			Meta     struct {
				Turns int `json:"turnwire.dev/turns"`
			} `json:"_meta"`
		}
		r.isAttaching = false
		if err := decoded(result, failure, &attached); err != nil {
			delete(u.sessions, id)
			r.catchUp = nil
			if !r.session.chat.ready() {
				r.session.chat.endReplay()
				r.session.chat.drop()
			}
			if codeOf(failure) == protocol.CodeNotFound && r.reopened < maxReopened {
				r.reopened++
				r.resume(u)
				return
			}
			r.connected(fmt.Errorf("the session cannot be attached to: %w", err))
			return
		}
		r.self, r.isOpen, r.wasLost = attached.ClientID, true, false
		r.session.attached(attached.Meta.Turns > 0)
		r.hasEnded = false
		r.connected(nil)
		r.session.unattend()
	})
}

// detach leaves the session to its other clients.
func (r *remote) detach() {
	if u := r.upstream(); u != nil {
		delete(u.sessions, r.record.ACP)
		u.call(methodDetach, map[string]string{"sessionId": r.record.ACP}, func(_, _ []byte) {})
	}
	r.isOpen = false
}

// lost records that the session is no longer open.
func (r *remote) lost() { r.isOpen, r.wasLost = false, true }

// refresh calls then once the chat shows what other clients did while the session was lost,
// or once that failed: a turn has the same error.
func (r *remote) refresh(then func()) {
	r.connect(func(err error) {
		r.wasLost = false
		then()
		r.wasLost = r.wasLost || err != nil
	})
}

// upstream returns the connection on which the session is open, or nil.
func (r *remote) upstream() *upstream {
	if !r.isOpen {
		return nil
	}
	return r.agent.up
}

// fork makes a copy of the session that ends at a cursor, and continues in that. then is
// called once the copy takes the session's place, or with the error.
func (r *remote) fork(cursor string, then func(error)) {
	r.connect(func(err error) {
		u := r.upstream()
		if err == nil && u == nil {
			err = errLost
		}
		if err != nil {
			then(err)
			return
		}
		params := r.folders()
		params["sessionId"], params["cursorId"] = r.record.ACP, cursor
		u.call(v1.MethodSessionFork, params, func(result, failure []byte) {
			var made v1.ForkSessionResponse
			err := decoded(result, failure, &made)
			if err == nil && made.SessionID == "" {
				err = errors.New("the agent opened a session without an ID")
			}
			if err != nil {
				then(err)
				return
			}
			r.detach()
			h := r.agent.host
			h.sessions.moved(r.session, made.SessionID)
			h.saver.keep(*r.record)
			r.session.choices.set(made.ConfigOptions, made.Modes)
			r.opening = append(r.opening, func(error) {}) // what follows waits for attach
			then(nil)
			r.attach(u)
		})
	})
}

// prompt sends a message, with its id, to the agent. done is called with the outcome of the turn.
func (r *remote) prompt(id string, m ahp.Message, done func(v1.StopReason, error)) {
	u := r.upstream()
	if u == nil {
		done("", errLost)
		return
	}
	m = r.agent.host.contents.unwrapped(m)
	r.messages.add(id)
	params := map[string]any{
		"sessionId": r.record.ACP, "prompt": rawmsg.Encode(ahpmap.Prompt(&m, u.images)), "_meta": map[string]string{v1.MessageIDMeta: id},
	}
	u.call(v1.MethodSessionPrompt, params, func(result, failure []byte) {
		if err := failed(failure); err != nil {
			if isGone(failure) { // the next turn opens it again
				r.lost()
			}
			if codeOf(failure) == protocol.CodeNotFound { // another client is closing the session
				err = &unreadError{err}
			}
			done("", err)
			return
		}
		var answer v1.PromptResponse
		if err := exactjson.Unmarshal(result, &answer); err != nil {
			done("", errors.New("the agent's response is malformed"))
			return
		}
		done(answer.StopReason, nil)
	})
}

// An unreadError reports that the agent got no message, because its session was closed. An
// agent may fail with the same code after it has read the message. The user then finds in the
// draft what the agent already has, which is better than to lose a message that it never got.
type unreadError struct{ error }

// isGone reports whether an error may mean that the session is no longer open.
func isGone(failure []byte) bool {
	switch codeOf(failure) {
	case protocol.CodeInvalidRequest, protocol.CodeInvalidParams, protocol.CodeNotFound:
		return true
	}
	return false
}

// codeOf returns the code of a JSON-RPC error, or 0 if failure is nil.
func codeOf(failure []byte) int64 {
	var e struct {
		Code int64 `json:"code"`
	}
	_ = exactjson.Unmarshal(failure, &e) // it was decoded before
	return e.Code
}

// cancel makes the agent stop.
func (r *remote) cancel() {
	if u := r.upstream(); u != nil {
		about := rawmsg.Encode(map[string]string{"sessionId": r.record.ACP})
		u.post(func(source core.Source) { source.Notify(v1.MethodSessionCancel, about) })
	}
}

// rename passes the session's title to the agent, or to the journal if the agent has no
// titles.
func (r *remote) rename(title string) {
	id, h := r.record.ACP, r.agent.host
	if u := r.upstream(); u != nil && id != "" && u.names {
		u.call(v1.MethodSetTitle, v1.SetSessionTitleRequest{SessionID: id, Title: title}, func(_, failure []byte) {
			if err := failed(failure); err != nil {
				h.cfg.Log.Warn("the agent did not rename a session", "session", id, "error", err)
			}
		})
		return
	}
	if id == "" || h.cfg.Journal == nil {
		return
	}
	h.work.Go(func() {
		if err := (core.Archive{Store: h.cfg.Journal, Log: h.cfg.Log}).Retitle(id, title); err != nil {
			h.cfg.Log.Warn("a session was not renamed in the journal", "session", id, "error", err)
		}
	})
}
