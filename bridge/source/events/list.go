package events

import (
	"context"

	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/bridge/kept"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// listSessions handles session/list. It lists the sessions of this agent.
func (c *source) listSessions(call *core.Call) error {
	var req v1.ListSessionsRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	c.work.Go(func() {
		list, err := kept.List(c.cfg.Journal, journal.Filter{Agent: c.cfg.Key, Cwd: req.Cwd, Cursor: req.Cursor}, c.cfg.Log)
		if err != nil {
			call.Fail(err)
			return
		}
		call.Reply(list)
	})
	return nil
}

// deleteSession handles session/delete. A session that is open here is closed
// first.
func (c *source) deleteSession(call *core.Call) error {
	var req v1.DeleteSessionRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	if req.SessionID == "" {
		return missing("sessionId")
	}
	c.work.Go(func() {
		c.sessions.close(context.Background(), req.SessionID)
		if err := kept.Delete(c.cfg.Journal, req.SessionID); err != nil {
			call.Fail(err)
			return
		}
		call.Reply(v1.DeleteSessionResponse{})
	})
	return nil
}

// setTitle handles session/set_title. A title of the user's is not replaced by
// one of the agent's.
func (c *source) setTitle(call *core.Call) error {
	var req v1.SetSessionTitleRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	if req.SessionID == "" {
		return missing("sessionId")
	}
	title := kept.Title(req.Title)
	if title == "" {
		return missing("title")
	}
	c.work.Go(func() {
		var err error
		if s, open := c.sessions.get(req.SessionID); open == nil {
			err = s.record.retitle(title, true)
		} else {
			err = kept.Retitle(c.cfg.Journal, req.SessionID, title)
		}
		if err != nil {
			call.Fail(err)
			return
		}
		call.Reply(v1.SetSessionTitleResponse{Title: title})
	})
	return nil
}
