package events

import (
	"context"
	"log/slog"
	"path/filepath"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/core"
)

// peers are the two sides of a session, the agent and the editor, and the names by
// which both know the session. They don't change once the agent is open.
type peers struct {
	id     string
	cwd    string
	agent  agent.Session
	client *client
	view   core.View
	log    *slog.Logger // with the session's id
}

// files returns the editor's file system.
func (p *peers) files() *core.ClientFiles {
	return &core.ClientFiles{View: p.view, Session: p.id, Able: &p.client.fs}
}

// absolute returns an absolute path unchanged, and resolves a relative one against the
// session's directory.
func (p *peers) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(p.cwd, path)
}

// sent logs a failed write. After one, the connection and its sessions are about to
// end.
func (p *peers) sent(err error) {
	if err != nil {
		p.log.Debug("an update could not be sent", "error", err)
	}
}

func (p *peers) closeAgent(ctx context.Context) {
	if err := p.agent.Close(ctx); err != nil {
		p.log.Warn("the agent did not stop cleanly", "error", err)
	}
}
