package events

import (
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// listSessions handles session/list. It lists this agent's saved sessions.
func (c *source) listSessions(call *core.Call) error {
	var req v1.ListSessionsRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	c.answer(call, func() (any, error) {
		return c.cfg.Archive().List(req.Cwd, req.Cursor)
	})
	return nil
}

// deleteSession handles session/delete. It first closes the session if it is open here.
func (c *source) deleteSession(call *core.Call) error {
	var req v1.DeleteSessionRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	if req.SessionID == "" {
		return missing("sessionId")
	}
	c.answer(call, func() (any, error) {
		wasOpen := c.sessions.close(c.ctx, req.SessionID)
		err := c.cfg.Archive().Delete(req.SessionID)
		if err != nil && wasOpen { // another process opened it meanwhile
			err = &core.ClosedError{Err: err}
		}
		return v1.DeleteSessionResponse{}, err
	})
	return nil
}

// setTitle handles session/set_title. A title set by the user is never replaced by the
// agent's.
func (c *source) setTitle(call *core.Call) error {
	var req v1.SetSessionTitleRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	if req.SessionID == "" {
		return missing("sessionId")
	}
	title := core.Title(req.Title)
	if title == "" {
		return missing("title")
	}
	c.answer(call, func() (any, error) {
		answer := v1.SetSessionTitleResponse{Title: title}
		if s, err := c.sessions.get(req.SessionID); err == nil {
			return answer, s.record.retitle(title, true)
		}
		return answer, c.cfg.Archive().Retitle(req.SessionID, title)
	})
	return nil
}

// answer answers a call with the result of f, which may be slow.
func (c *source) answer(call *core.Call, f func() (any, error)) {
	c.work.Go(func() {
		result, err := f()
		if err != nil {
			call.Fail(err)
			return
		}
		call.Reply(result)
	})
}
