package relay

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A record is what is kept of a session; nothing where it has no recorder. The
// relay's mutex guards it.
type record struct {
	to    *journal.Recorder
	past  bool   // what the agent tells of the past is not there yet
	title string // that the agent has given and that is not kept yet
}

// keepCopy begins the record of a session that goes on from another one, as a
// copy of that one's. The lock is held.
func (r *relay) keepCopy(s *session, params []byte) {
	if r.cfg.Journal == nil || !r.client.mends() {
		return
	}
	from := rawmsg.MemberText(params, "sessionId")
	var original *journal.Recorder
	if open := r.sessions[from]; open != nil {
		original = open.record.to
	}
	h := r.header(s, params)
	s.record = record{past: true}
	s.record.to = journal.NewRecorder(func() (journal.Journal, error) {
		if original != nil {
			original.Flush()
		}
		j, err := journal.Copy(r.ctx, r.cfg.Journal, from, h)
		if errors.Is(err, journal.ErrNotFound) {
			return r.cfg.Journal.Create(h) // the agent knows more than the journal
		}
		return j, err
	}, r.recorders.Add)
	s.record.to.Begin()
}

func (r *relay) header(s *session, params []byte) journal.Header {
	return journal.Header{ID: s.id, Agent: r.cfg.Key, Cwd: rawmsg.MemberText(params, "cwd"), Roots: texts(params, "additionalDirectories")}
}

// keep begins the record of a session that the agent has opened. known says that
// the journal may have it already. The lock is held.
func (r *relay) keep(s *session, params []byte, known bool) {
	if r.cfg.Journal == nil || !r.client.mends() {
		return
	}
	h := r.header(s, params)
	open := func() (journal.Journal, error) { return r.cfg.Journal.Create(h) }
	s.record = record{past: true}
	if known {
		if _, err := r.cfg.Journal.Describe(s.id); err == nil {
			open = func() (journal.Journal, error) { return r.cfg.Journal.Own(s.id) }
			s.record.past = false
		}
	}
	s.record.to = journal.NewRecorder(open, r.recorders.Add)
	if !known {
		s.record.to.Begin()
	}
}

// texts is a list of strings.
func texts(object []byte, name string) (all []string) {
	list, _, _ := rawmsg.Member(object, name)
	if len(list) == 0 || list[0] != '[' {
		return nil
	}
	for value := range rawjson.Elements(list) {
		all = append(all, rawmsg.Text(value))
	}
	return all
}

// noteUpdate records an update that the editor gets. The lock is held.
func (s *session) noteUpdate(body []byte, title bool) {
	if s.record.to == nil || s.loading > 0 && !s.record.past {
		return
	}
	s.record.to.AddData(time.Now(), journal.TypeUpdate, clean(body))
	if title {
		s.record.title = rawmsg.MemberText(body, "title")
	}
}

// notePrompt records a prompt. The lock is held.
func (s *session) notePrompt(params []byte) {
	if s.record.to == nil {
		return
	}
	blocks, _, _ := rawmsg.Member(params, "prompt")
	s.record.to.Add(time.Now(), journal.TypePrompt, func(dst []byte) []byte {
		dst = append(dst, `{"type":"`+agent.CommandPrompt+`","sessionId":`...)
		dst = rawjson.AppendString(dst, s.id)
		dst = rawjson.AppendString(append(dst, `,"text":`...), promptText(blocks))
		if len(blocks) == 0 {
			blocks = []byte("[]")
		}
		return append(append(append(dst, `,"prompt":`...), blocks...), '}')
	})
}

// promptText is the text of a prompt's text blocks.
func promptText(blocks []byte) string {
	if len(blocks) == 0 || blocks[0] != '[' {
		return ""
	}
	var parts []string
	for block := range rawjson.Elements(blocks) {
		if block[0] == '{' && rawmsg.MemberText(block, "type") == "text" {
			parts = append(parts, rawmsg.MemberText(block, "text"))
		}
	}
	return strings.Join(parts, "\n")
}

// noteAnswer records the answer to a prompt. The lock is held.
func (q *request) noteAnswer(outcome string, value []byte) {
	if !q.isPrompt() || q.session == nil || q.session.record.to == nil {
		return
	}
	q.session.record.to.Add(time.Now(), journal.TypeAnswer, func(dst []byte) []byte {
		dst = append(append(append(dst, `{"`...), outcome...), `":`...)
		return append(append(dst, value...), '}')
	})
}

// noteAsk records what the agent has asked and what was answered. The lock is
// held.
func (a *ask) noteAsk(outcome string, value []byte) {
	if a.session == nil || a.session.record.to == nil {
		return
	}
	if a.method == v1.MethodElicitationCreate && bytes.Contains(a.params, []byte(`"`+v1.SecretMeta+`"`)) {
		value = rawmsg.Without(value, "content") // nobody expects to find in a file what a field hides
	}
	a.session.record.to.Add(time.Now(), journal.TypeAsk, func(dst []byte) []byte {
		dst = rawjson.AppendString(append(dst, `{"method":`...), a.method)
		dst = append(append(dst, `,"params":`...), a.params...)
		dst = append(append(append(dst, `,"`...), outcome...), `":`...)
		return append(append(dst, value...), '}')
	})
}

// keptParams are the params of a request as they are recorded with its answer.
func (s *session) keptParams(params []byte) []byte {
	if s == nil || s.record.to == nil {
		return nil
	}
	return bytes.Clone(clean(params))
}

// sync returns when the session's record is on the disk. s may be nil. No lock is held.
func (s *session) sync() {
	if s == nil {
		return
	}
	r := s.relay
	r.mu.Lock()
	to, title, ending := s.record.to, s.record.title, r.ending
	s.record.title = ""
	r.mu.Unlock()
	if to == nil {
		return
	}
	if !ending { // then nobody waits for the disk
		to.Sync()
	}
	if title == "" {
		return
	}
	if err := to.Retitle(title, false); err != nil {
		r.log.Warn("the session's title is not kept", "session", s.id, "error", err)
	}
}

// tellUnrecorded tells the user, once, that a session is not kept any more. The
// lock is held.
func (s *session) tellUnrecorded() {
	r := s.relay
	if s.record.to == nil {
		return
	}
	if err := s.record.to.Failure(); err != nil {
		if s.isKeptByOther(err) {
			r.log.Info("the agent keeps the session where Turnwire keeps its own", "session", s.id, "cause", err)
			return
		}
		r.log.Error("the session is not recorded any more", "session", s.id, "error", err)
		r.view.Send(updateNotification(s.id, r.client.notice("This session is not kept any more: "+err.Error())))
	}
}

// isKeptByOther reports whether a session is not recorded because the agent keeps
// it in the same place: it is a Turnwire too.
func (s *session) isKeptByOther(err error) bool {
	_, owned := errors.AsType[*journal.OwnedError](err)
	return (owned || errors.Is(err, journal.ErrExists)) && s.up != nil && (s.up.able.load || s.up.able.resume)
}

// closeRecord gives the session's journal up.
func (s *session) closeRecord() {
	r := s.relay
	if s.record.to == nil {
		return
	}
	if err := s.record.to.Close(); err != nil {
		r.log.Warn("the session's journal could not be closed", "session", s.id, "error", err)
	}
}
