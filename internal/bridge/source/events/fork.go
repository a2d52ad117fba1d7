package events

import (
	"context"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// forkSession handles session/fork: the new session begins as a copy of another. It
// sends no history, because the editor already shows it.
func (c *source) forkSession(call *core.Call) error {
	var req v1.ForkSessionRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	if req.SessionID == "" {
		return missing("sessionId")
	}
	if err := checkFolders(req.Cwd, req.AdditionalDirectories); err != nil {
		return err
	}
	return c.opener.answer(call, func(ctx context.Context) (*session, error) {
		if s, err := c.sessions.get(req.SessionID); err == nil {
			s.record.flush()
		}
		opening := v1.NewSessionRequest{
			Cwd: req.Cwd, AdditionalDirectories: req.AdditionalDirectories, MCPServers: req.MCPServers, SystemPrompt: req.SystemPrompt,
		}
		copied, err := journal.Copy(ctx, c.cfg.Journal, req.SessionID, c.opener.header(opening))
		if err != nil {
			return nil, core.SessionError(req.SessionID, err)
		}
		return c.opener.resume(ctx, copied, req.SessionID, opening, false)
	}, func(s *session) any {
		modes, options := s.choices.offers()
		return v1.ForkSessionResponse{SessionID: s.peers.id, Modes: modes, ConfigOptions: options}
	})
}
