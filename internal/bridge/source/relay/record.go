package relay

import (
	"bytes"
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A record is a session's saved record. Without a recorder, nothing is saved. The
// relay's mutex guards it.
type record struct {
	to       *journal.Recorder
	past     bool      // the history is complete, so what is shown while loading is new
	replayed *replayed // nil unless the session is being loaded, and may not be saved yet
	title    string    // the agent's latest title, if not saved yet
	prompts  int       // how many were recorded since the session was opened
}

// maxReplayed bounds the history that is held until it is known whether it is saved, in bytes.
const maxReplayed = 1 << 20

// replayed is the history that the agent replays while it loads a session. It is saved if the
// session is not.
type replayed struct {
	records []journal.Record
	size    int // in bytes
	title   string
}

func (h *replayed) add(update []byte, title string) {
	if h.size += len(update); h.size > maxReplayed {
		return
	}
	h.records = append(h.records, journal.Record{Time: time.Now(), Type: journal.TypeUpdate, Data: bytes.Clone(update)})
	h.title = cmp.Or(title, h.title)
}

func (h *replayed) appendTo(j journal.Journal) error {
	err := j.Append(j.Next(), h.records)
	if err == nil && h.title != "" {
		err = j.Retitle(h.title, false)
	}
	return err
}

// keep starts the record of the session, which the agent opened with params. known is
// set if the journal may already have it. The caller holds the lock.
func (s *session) keep(params []byte, known bool) {
	if s.relay.keepsSessions() {
		s.record = s.relay.archive.begin(s.id, params, known)
	}
}

// noteUpdate records an update that the editor gets. The caller holds the lock.
func (s *session) noteUpdate(body []byte, isTitle bool) {
	title := ""
	if isTitle {
		title = rawmsg.MemberText(body, "title")
	}
	switch {
	case s.record.to == nil:
	case s.loading == 0 || s.record.past:
		s.record.to.AddData(time.Now(), journal.TypeUpdate, clean(body))
		s.record.title = cmp.Or(title, s.record.title)
	case s.record.replayed != nil:
		s.record.replayed.add(clean(body), title)
	}
}

// addPrompt records a prompt of a session.
func (c *record) addPrompt(session string, params []byte) {
	c.prompts++
	if c.to == nil {
		return
	}
	blocks, _, _ := rawmsg.Member(params, "prompt")
	c.to.Add(time.Now(), journal.TypePrompt, func(dst []byte) []byte {
		dst = append(dst, `{"type":"`+agent.CommandPrompt+`","sessionId":`...)
		dst = rawjson.AppendString(dst, session)
		dst = rawjson.AppendString(append(dst, `,"text":`...), promptText(blocks))
		if len(blocks) == 0 {
			blocks = []byte("[]")
		}
		return append(append(append(dst, `,"prompt":`...), blocks...), '}')
	})
}

// addRemote records the agent's id of the session, which loads it later.
func (c *record) addRemote(id string) {
	if c.to == nil {
		return
	}
	c.to.Add(time.Now(), journal.TypeSession, func(dst []byte) []byte {
		return append(rawjson.AppendString(append(dst, `{"sessionId":`...), id), '}')
	})
}

// promptText returns the text of a prompt's text blocks.
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

// noteAnswer records the response to a prompt, and the prompt itself if the agent never got it:
// other clients were shown it. A session that is being loaded would show it to them again. The
// caller holds the lock.
func (q *request) noteAnswer(outcome string, value []byte) {
	if !q.isPrompt() || q.session == nil || q.session.record.to == nil {
		return
	}
	if !q.sent && q.again == notAgain {
		if q.session.loading > 0 {
			return
		}
		q.session.record.addPrompt(q.session.id, q.params)
	}
	q.session.record.to.Add(time.Now(), journal.TypeAnswer, func(dst []byte) []byte {
		dst = append(append(append(dst, `{"`...), outcome...), `":`...)
		return append(append(dst, value...), '}')
	})
}

// record records an agent's request and its answer. The caller holds the lock.
func (a *pendingRequest) record(outcome string, value []byte) {
	if a.session == nil || a.session.record.to == nil {
		return
	}
	if a.method == v1.MethodElicitationCreate && bytes.Contains(a.params, []byte(`"`+v1.SecretMeta+`"`)) {
		value = rawmsg.Without(value, "content") // never save the values of secret fields
	}
	a.session.record.to.Add(time.Now(), journal.TypeAsk, func(dst []byte) []byte {
		dst = rawjson.AppendString(append(dst, `{"method":`...), a.method)
		dst = append(append(dst, `,"params":`...), a.params...)
		dst = append(append(append(dst, `,"`...), outcome...), `":`...)
		return append(append(dst, value...), '}')
	})
}

// keptParams returns the params of a request as they are recorded with its answer. s
// may be nil.
func (s *session) keptParams(params []byte) []byte {
	if s == nil || s.record.to == nil {
		return nil
	}
	return bytes.Clone(clean(params))
}

// sync makes the session's record durable in the background. It also saves a pending title. s
// may be nil. The caller holds the lock.
func (s *session) sync() {
	if s == nil || s.record.to == nil {
		return
	}
	r := s.relay
	to, title, ending := s.record.to, s.record.title, r.ending
	s.record.title = ""
	if ending && title == "" {
		return
	}
	r.archive.work.Post(s.id, func() {
		if !ending { // don't wait for the disk when ending
			to.Sync()
		}
		if title == "" {
			return
		}
		if err := to.Retitle(title, false); err != nil {
			r.log.Warn("the session's title was not saved", "session", s.id, "error", err)
		}
	})
}

// tellUnrecorded tells the user, once, that a session can no longer be saved. The
// caller holds the lock.
func (s *session) tellUnrecorded() {
	r := s.relay
	if s.record.to == nil {
		return
	}
	if err := s.record.to.Failure(); err != nil {
		if s.isKeptByOther(err) {
			r.log.Info("the agent stores its session in Turnwire's session folder", "session", s.id, "cause", err)
			return
		}
		r.log.Error("the session is no longer recorded", "session", s.id, "error", err)
		r.view.Send(updateNotification(s.id, r.client.notice("This session is no longer saved: "+err.Error())))
	}
}

// isKeptByOther reports whether a session is not recorded because the agent, which is
// Turnwire itself, saves it in the same store.
func (s *session) isKeptByOther(err error) bool {
	_, owned := errors.AsType[*journal.OwnedError](err)
	return (owned || errors.Is(err, journal.ErrExists)) && s.up != nil && (s.up.handshake.able.load || s.up.handshake.able.resume)
}
