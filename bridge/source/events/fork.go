package events

import (
	"context"

	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/bridge/kept"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// forkSession handles session/fork: the new session begins as a copy of another
// one. The editor has what was shown.
func (c *source) forkSession(call *core.Call) error {
	if c.journal == nil {
		return errNotKept
	}
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
	return c.answerOpened(call, func(ctx context.Context) (*session, error) {
		copied, err := c.copyJournal(ctx, req)
		if err != nil {
			return nil, kept.Error(req.SessionID, err)
		}
		opening := v1.NewSessionRequest{
			Cwd: req.Cwd, AdditionalDirectories: req.AdditionalDirectories, MCPServers: req.MCPServers, SystemPrompt: req.SystemPrompt,
		}
		s := c.continued(copied, opening)
		s.memory.fork(req.SessionID)
		return s, c.goOn(ctx, s, opening, false)
	}, func(s *session) any {
		modes, options := s.choices.offers()
		return v1.ForkSessionResponse{SessionID: s.peers.id, Modes: modes, ConfigOptions: options}
	})
}

// copyJournal makes a journal with the records that another one has now.
func (c *source) copyJournal(ctx context.Context, req v1.ForkSessionRequest) (journal.Journal, error) {
	if s, err := c.session(req.SessionID); err == nil {
		s.record.flush()
	}
	return journal.Copy(ctx, c.journal, req.SessionID,
		journal.Header{ID: newID(), Agent: c.key, Cwd: req.Cwd, Roots: req.AdditionalDirectories})
}
