// Package kept has what the bridge and the relay answer alike about the sessions
// of a journal.
package kept

import (
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/internal/visible"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// List returns the answer to session/list for the sessions that a filter
// selects. Those that cannot be read are not in it, and are logged.
func List(store journal.Store, f journal.Filter, log *slog.Logger) (v1.ListSessionsResponse, error) {
	page, err := store.List(f)
	for _, cause := range page.Unread {
		log.Warn("a session is not listed", "error", cause)
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

// Delete deletes a session. One that is not there is as good as deleted.
func Delete(store journal.Store, id string) error {
	err := store.Delete(id)
	if errors.Is(err, journal.ErrNotFound) {
		return nil
	}
	return Error(id, err)
}

// maxTitle bounds a title, in characters.
const maxTitle = 200

// Title returns a title as it is kept: one line that can be shown anywhere.
func Title(title string) string {
	title = strings.Join(strings.Fields(visible.Text(title)), " ")
	if runes := []rune(title); len(runes) > maxTitle {
		return string(runes[:maxTitle])
	}
	return title
}

// Retitle names a session that is not open here.
func Retitle(store journal.Store, id, title string) error {
	j, err := store.Own(id)
	if err != nil {
		return Error(id, err)
	}
	return errors.Join(j.Retitle(title, true), j.Close())
}

// Error is err, which says why a session cannot be used, with its code.
func Error(id string, err error) error {
	if errors.Is(err, journal.ErrNotFound) {
		return protocol.Errorf(protocol.CodeNotFound, "there is no session %q", id).With("sessionId", id)
	}
	if _, ok := errors.AsType[*journal.OwnedError](err); ok {
		return protocol.Errorf(protocol.CodeInvalidRequest, "%w", err).With("sessionId", id)
	}
	return err
}
