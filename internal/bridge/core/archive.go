package core

import (
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
	"github.com/turnwire/turnwire/protocol"
)

// An Archive gives access to the saved sessions of one agent.
type Archive struct {
	Store journal.Store
	Agent string // the agent's name in the store
	Log   *slog.Logger
}

// List answers session/list. It logs and omits sessions that cannot be read.
func (a Archive) List(cwd, cursor string) (v1.ListSessionsResponse, error) {
	page, err := a.Store.List(journal.Filter{Agent: a.Agent, Cwd: cwd, Cursor: cursor})
	for _, cause := range page.Unread {
		a.Log.Warn("a session is not listed", "error", cause)
	}
	if errors.Is(err, journal.ErrCursor) {
		err = protocol.Errorf(protocol.CodeInvalidParams, "%w", err)
	}
	list := v1.ListSessionsResponse{Sessions: make([]v1.SessionInfo, 0, len(page.Sessions)), NextCursor: page.Next}
	for _, s := range page.Sessions {
		list.Sessions = append(list.Sessions, v1.SessionInfo{
			SessionID:             s.ID,
			Cwd:                   s.Cwd,
			AdditionalDirectories: s.Roots,
			Title:                 s.Title,
			UpdatedAt:             s.Updated.UTC().Format(time.RFC3339),
		})
	}
	return list, err
}

// Delete deletes a session. It succeeds if the session does not exist.
func (a Archive) Delete(id string) error {
	err := a.Store.Delete(id)
	if errors.Is(err, journal.ErrNotFound) {
		return nil
	}
	return SessionError(id, err)
}

// Retitle renames a session that is not open in this process.
func (a Archive) Retitle(id, title string) error {
	j, err := a.Store.Own(id)
	if err != nil {
		return SessionError(id, err)
	}
	return errors.Join(j.Retitle(title, true), j.Close())
}

// SessionError adds the JSON-RPC code to a store's error about a session.
func SessionError(id string, err error) error {
	if errors.Is(err, journal.ErrNotFound) {
		return protocol.Errorf(protocol.CodeNotFound, "unknown session %q", id).With("sessionId", id)
	}
	if _, ok := errors.AsType[*journal.OwnedError](err); ok {
		return protocol.Errorf(protocol.CodeInvalidRequest, "%w", err).With("sessionId", id)
	}
	return err
}

// maxTitle bounds a title, in characters.
const maxTitle = 200

// Title returns title in the form in which it is saved: one line that any terminal can
// show.
func Title(title string) string {
	title = strings.Join(strings.Fields(visible.Text(title)), " ")
	if runes := []rune(title); len(runes) > maxTitle {
		return string(runes[:maxTitle])
	}
	return title
}
