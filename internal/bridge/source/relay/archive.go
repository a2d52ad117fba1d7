package relay

import (
	"context"
	"errors"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// An archive keeps the records of an agent's sessions. Without a store it keeps nothing.
type archive struct {
	core.Archive
	recorders journal.Recorders
}

func (a *archive) header(id string, params []byte) journal.Header {
	return journal.Header{ID: id, Agent: a.Agent, Cwd: rawmsg.MemberText(params, "cwd"), Roots: texts(params, "additionalDirectories")}
}

// has reports whether a session is kept.
func (a *archive) has(id string) bool {
	_, err := a.Store.Describe(id)
	return err == nil
}

// begin begins the record of a session that the agent has opened with params. known says
// that the record may be there already.
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

// fork begins the record of a session that goes on from the one that params name, as a
// copy of that one's. original is the recorder of that, if it is open.
func (a *archive) fork(ctx context.Context, id string, params []byte, original *journal.Recorder) record {
	from, h := rawmsg.MemberText(params, "sessionId"), a.header(id, params)
	to := journal.NewRecorder(func() (journal.Journal, error) {
		if original != nil {
			original.Flush()
		}
		j, err := journal.Copy(ctx, a.Store, from, h)
		if errors.Is(err, journal.ErrNotFound) {
			return a.Store.Create(h) // the agent knows more than the journal
		}
		return j, err
	}, a.recorders.Add)
	to.Begin()
	return record{to: to, past: true}
}

// resume goes on with the record of a session.
func (a *archive) resume(id string) (record, error) {
	j, err := a.Store.Own(id)
	if err != nil {
		return record{}, core.SessionError(id, err)
	}
	return record{to: journal.Continue(j, a.recorders.Add)}, nil
}

// drop deletes the record of a session that the agent has deleted.
func (a *archive) drop(id string) {
	if a.Store == nil {
		return
	}
	if err := a.Delete(id); err != nil {
		a.Log.Warn("the journal of a deleted session is still there", "session", id, "error", err)
	}
}

// texts returns a list of strings.
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
