package events

import (
	"context"
	"log/slog"

	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/bridge/kept"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// An archive holds the saved sessions of one agent. It is safe for concurrent use. A
// nil archive saves none: all methods but create and flush need one.
type archive struct {
	store     journal.Store
	key       string // the agent's name there
	recorders journal.Recorders
	log       *slog.Logger
}

// create returns the recorder of a new session, or nil if none is saved.
func (a *archive) create(id string, req v1.NewSessionRequest) *journal.Recorder {
	if a == nil {
		return nil
	}
	h := journal.Header{ID: id, Agent: a.key, Cwd: req.Cwd, Roots: req.AdditionalDirectories}
	return journal.NewRecorder(func() (journal.Journal, error) { return a.store.Create(h) }, a.recorders.Add)
}

// resume returns the recorder of a session that goes on.
func (a *archive) resume(j journal.Journal) *journal.Recorder {
	return journal.Continue(j, a.recorders.Add)
}

// fork makes a journal with the records that another session has now.
func (a *archive) fork(ctx context.Context, req v1.ForkSessionRequest) (journal.Journal, error) {
	return journal.Copy(ctx, a.store, req.SessionID,
		journal.Header{ID: newID(), Agent: a.key, Cwd: req.Cwd, Roots: req.AdditionalDirectories})
}

func (a *archive) list(req v1.ListSessionsRequest) (v1.ListSessionsResponse, error) {
	return kept.List(a.store, journal.Filter{Agent: a.key, Cwd: req.Cwd, Cursor: req.Cursor}, a.log)
}

// flush writes what is recorded of all sessions.
func (a *archive) flush() {
	if a != nil {
		a.recorders.Flush()
	}
}
