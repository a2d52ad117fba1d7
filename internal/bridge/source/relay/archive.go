package relay

import (
	"context"
	"errors"

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
}

func (a *archive) header(id string, params []byte) journal.Header {
	return journal.Header{ID: id, Agent: a.Agent, Cwd: rawmsg.MemberText(params, "cwd"), Roots: texts(params, "additionalDirectories")}
}

// has reports whether a session is saved.
func (a *archive) has(id string) bool {
	_, err := a.Store.Describe(id)
	return err == nil
}

// remote returns the agent's id of a session that was opened before the agent was ready, or "".
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
	h := a.header(id, params)
	open := func() (journal.Journal, error) { return a.Store.Create(h) }
	made := record{past: true}
	if known && a.has(id) {
		open = func() (journal.Journal, error) { return a.Store.Own(id) }
		made.past = false
	}
	made.to = journal.NewRecorder(open, a.recorders.Add)
	if !known {
		made.to.Begin()
	}
	return made
}

// fork starts the record of a session that continues the one named in params, as a copy
// of that session's record. original is the other session's recorder, if it is open.
// It ends at the cursor, unless that is nil.
func (a *archive) fork(ctx context.Context, id string, params []byte, original *journal.Recorder, at *cursor) record {
	from, h := rawmsg.MemberText(params, "sessionId"), a.header(id, params)
	to := journal.NewRecorder(func() (journal.Journal, error) {
		if original != nil {
			original.Flush()
		}
		j, err := journal.Copy(ctx, a.Store, from, h, at.end(a.Store.Read(from, 1)))
		if errors.Is(err, journal.ErrNotFound) || errors.Is(err, journal.ErrNoPoint) {
			return a.Store.Create(h) // the agent has the session or the position, but the journal does not
		}
		return j, err
	}, a.recorders.Add)
	to.Begin()
	return record{to: to, past: true}
}

// resume continues the record of a session.
func (a *archive) resume(id string) (record, error) {
	j, err := a.Store.Own(id)
	if err != nil {
		return record{}, core.SessionError(id, err)
	}
	return record{to: journal.Continue(j, a.recorders.Add)}, nil
}

// drop deletes the record of a session that the agent deleted.
func (a *archive) drop(id string) {
	if a.Store == nil {
		return
	}
	if err := a.Delete(id); err != nil {
		a.Log.Warn("the journal of a deleted session could not be deleted", "session", id, "error", err)
	}
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
