package workspace

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/turnwire/turnwire/agent"
)

// embedded is the agent. All state is in its sessions.
type embedded struct{}

// New returns the embedded agent.
func New() agent.Agent { return embedded{} }

// Info describes the agent.
func (embedded) Info() agent.Info {
	// The agent remembers nothing but files, so it can resume any session.
	return agent.Info{Name: "turnwire-workspace", Title: "Turnwire Workspace", Resume: true}
}

// Open starts a session. It does not access the directories yet: a missing one
// is an error in the step that needs it.
func (embedded) Open(ctx context.Context, o agent.Options) (agent.Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("open a workspace session: %w", err)
	}
	if o.Cwd == "" {
		return nil, errors.New("open a workspace session: no working directory")
	}
	for _, dir := range append([]string{o.Cwd}, o.Roots...) {
		if !filepath.IsAbs(dir) {
			return nil, fmt.Errorf("open a workspace session: the directory %q is not absolute", dir)
		}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := newSession(context.WithoutCancel(ctx), o)
	s.titled = o.Memory().Prompted
	s.announceCommands()
	return s, nil
}
