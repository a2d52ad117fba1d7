package relay

import (
	"cmp"
	"context"
	"errors"
	"iter"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// An archive saves the records of an agent's sessions. Without a store it saves
// nothing.
type archive struct {
	core.Archive
	recorders journal.Recorders
	work      journal.Work
}

func (a *archive) header(id string, params []byte) journal.Header {
	return journal.Header{ID: id, Agent: a.Agent, Cwd: rawmsg.MemberText(params, "cwd"), Roots: texts(params, "additionalDirectories")}
}

// has reports whether a session is saved. It may wait for the store.
func (a *archive) has(id string) bool {
	_, err := a.Store.Describe(id)
	return err == nil
}

// isUnknown reports whether only the record has the beginning of a session. It may wait for the
// store.
func (a *archive) isUnknown(id string) bool {
	s, err := a.Store.Describe(id)
	return err == nil && s.CopyOf != ""
}

// remote returns the agent's id of a session that was opened before the agent was ready, or
// "". It may wait for the store.
func (a *archive) remote(id string) (remote string) {
	for r, err := range a.Store.Read(id, 1) {
		if err != nil {
			break // if it can't be read, the agent gets the id that the client knows
		}
		if r.Type == journal.TypeSession {
			remote = rawmsg.MemberText(r.Data, "sessionId")
		}
	}
	return remote
}

// begin starts the record of a session that the agent opened with params. known is set
// if the record may already exist.
func (a *archive) begin(id string, params []byte, known bool) record {
	h, wait := a.header(id, params), a.work.Posted(id)
	if !known {
		return a.create(func() (journal.Journal, error) {
			wait()
			return a.Store.Create(h)
		})
	}
	past := new(replayed)
	return record{replayed: past, to: journal.NewRecorder(func() (journal.Journal, error) {
		wait()
		j, err := a.Store.Own(id)
		if !errors.Is(err, journal.ErrNotFound) {
			return j, err
		}
		if j, err = a.Store.Create(h); errors.Is(err, journal.ErrExists) { // another process was faster
			return a.Store.Own(id)
		}
		if err != nil {
			return nil, err
		}
		if err = past.appendTo(j); err != nil {
			return nil, errors.Join(err, j.Close())
		}
		return j, nil
	}, a.recorders.Add)}
}

// create returns the record of a new session, whose journal open creates.
func (a *archive) create(open func() (journal.Journal, error)) record {
	to := journal.NewRecorder(open, a.recorders.Add)
	to.Begin()
	return record{to: to, past: true}
}

// A fork is the copy of a session's record. It ends at the cursor, unless that is nil.
type fork struct {
	from     string
	original *journal.Recorder // of the session from; nil if it is not open
	at       *cursor
	unknown  bool // the agent doesn't know what the copy contains
	later    int  // how many prompts were recorded after the request, which the copy doesn't have
}

// forkOf returns the fork that a request asks for. The original may have been closed since it
// arrived. The caller holds the relay's lock.
func forkOf(q *request, sessions map[string]*session) fork {
	f := fork{from: rawmsg.MemberText(q.params, "sessionId"), unknown: q.forking.forgets != ""}
	if of := cmp.Or(q.forking.of, sessions[f.from]); of != nil {
		f.original, f.later = of.record.to, of.record.prompts-q.forking.prompted
		if at := of.cursors.byID[rawmsg.MemberText(q.params, "cursorId")]; at != nil {
			copied := *at
			f.at = &copied
		}
	}
	return f
}

// end returns a function that reports whether the copy of a session ends before a record. It
// returns nil if the copy has all records.
func (f *fork) end(records iter.Seq2[journal.Record, error]) func(journal.Record) bool {
	if f.at != nil || f.later <= 0 {
		return f.at.end(records)
	}
	last := -f.later // the number of prompts in the copy
	for r, err := range records {
		if err == nil && r.Type == journal.TypePrompt { // copying fails too
			last++
		}
	}
	return func(r journal.Record) bool {
		if r.Type == journal.TypePrompt {
			last--
		}
		return last < 0
	}
}

// copy starts the record of a session that continues another, as a copy of that session's
// record. It may wait for the store. copied is false if the journal has nothing to copy.
func (a *archive) copy(ctx context.Context, id string, params []byte, f fork) (made record, copied bool) {
	a.work.Posted(id)()
	if f.original != nil {
		f.original.Flush()
	}
	h := a.header(id, params)
	if f.unknown || a.isUnknown(f.from) {
		h.CopyOf = f.from
	}
	j, err := journal.Copy(ctx, a.Store, f.from, h, f.end(a.Store.Read(f.from, 1)))
	if err == nil {
		return record{to: journal.Continue(j, a.recorders.Add)}, true
	}
	return a.create(func() (journal.Journal, error) {
		if errors.Is(err, journal.ErrNotFound) || errors.Is(err, journal.ErrNoPoint) {
			return a.Store.Create(h) // the agent has the session or the position, but the journal does not
		}
		return nil, err
	}), false
}

// resume continues the record of a session. It may wait for the store.
func (a *archive) resume(id string) (made record, err error) {
	<-a.work.Post(id, func() {
		var j journal.Journal
		if j, err = a.Store.Own(id); err != nil {
			err = core.SessionError(id, err)
			return
		}
		made = record{to: journal.Continue(j, a.recorders.Add)}
	})
	return made, err
}

// remove deletes the record of a session. It may wait for the store.
func (a *archive) remove(id string) (err error) {
	<-a.work.Post(id, func() { err = a.Delete(id) })
	return err
}

// end ends the record of a session, of which nothing more is saved.
func (a *archive) end(id string, c *record) {
	to := c.to
	if to == nil {
		return
	}
	c.to = nil
	to.End()
	a.work.Post(id, func() {
		if err := to.Close(); err != nil {
			a.Log.Warn("the session's journal could not be closed", "session", id, "error", err)
		}
	})
}

// texts returns a member's list of strings.
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
