package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// listSessions handles session/list. It lists the sessions of this agent.
func (c *conn) listSessions(r *request, params json.RawMessage) error {
	if c.journal == nil {
		return errNotKept
	}
	var req v1.ListSessionsRequest
	if err := decode(params, &req); err != nil {
		return err
	}
	c.work.Go(func() {
		c.recorders.flush() // those of this connection are there too
		page, err := c.journal.List(journal.Filter{Agent: c.key, Cwd: req.Cwd, Cursor: req.Cursor})
		if errors.Is(err, journal.ErrCursor) {
			err = protocol.Errorf(protocol.CodeInvalidParams, "%w", err)
		}
		if err != nil {
			r.fail(err)
			return
		}
		r.reply(sessionList(page))
	})
	return nil
}

func sessionList(page journal.Page) v1.ListSessionsResponse {
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
	return list
}

// deleteSession handles session/delete. A session that is open here is closed
// first. One that is not there is as good as deleted.
func (c *conn) deleteSession(r *request, params json.RawMessage) error {
	if c.journal == nil {
		return errNotKept
	}
	var req v1.DeleteSessionRequest
	if err := decode(params, &req); err != nil {
		return err
	}
	if req.SessionID == "" {
		return missing("sessionId")
	}
	c.work.Go(func() {
		c.closeOpen(context.Background(), req.SessionID)
		err := c.journal.Delete(req.SessionID)
		if err != nil && !errors.Is(err, journal.ErrNotFound) {
			r.fail(lookupError(req.SessionID, err))
			return
		}
		r.reply(v1.DeleteSessionResponse{})
	})
	return nil
}
