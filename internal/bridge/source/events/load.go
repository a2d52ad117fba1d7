package events

import (
	"context"

	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// reopenSession handles session/load and session/resume. For session/load, it sends the
// whole history before the response.
func (c *source) reopenSession(call *core.Call, shown bool) error {
	var req v1.LoadSessionRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	if req.SessionID == "" {
		return missing("sessionId")
	}
	if err := checkFolders(req.Cwd, req.AdditionalDirectories); err != nil {
		return err
	}
	_, closed := c.sessions.get(req.SessionID)
	end := c.sessions.reopen(req.SessionID)
	err := c.opener.answer(call, closed == nil, func(ctx context.Context) (*session, error) {
		s, err := c.opener.reopen(ctx, req, shown)
		if err != nil {
			end(nil)
			return s, err
		}
		end(s)
		return s, nil
	}, func(s *session) any {
		modes, options := s.choices.offers()
		return v1.LoadSessionResponse{Modes: modes, ConfigOptions: options, Meta: s.setup.steering()}
	})
	if err != nil {
		end(nil)
	}
	return err
}

// reopen opens a saved session on this connection. The session may already be open
// here: an editor that lost its view opens it again.
func (o *opener) reopen(ctx context.Context, req v1.LoadSessionRequest, shown bool) (*session, error) {
	o.sessions.close(ctx, req.SessionID)
	j, err := o.cfg.Journal.Own(req.SessionID)
	if err != nil {
		return nil, core.SessionError(req.SessionID, err)
	}
	roots := req.AdditionalDirectories
	if len(roots) == 0 {
		roots = j.Header().Roots
	}
	return o.resume(ctx, j, v1.NewSessionRequest{
		Cwd: req.Cwd, AdditionalDirectories: roots, MCPServers: req.MCPServers, SystemPrompt: req.SystemPrompt,
	}, shown)
}
