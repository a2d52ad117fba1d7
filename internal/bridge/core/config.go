package core

import (
	"cmp"
	"log/slog"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// Config is what a source needs besides its agent.
type Config struct {
	// Version is sent to clients and agents.
	Version string
	Log     *slog.Logger
	// MaxSessions bounds the open sessions; 0 means [DefaultMaxSessions].
	MaxSessions int
	// Journal saves the sessions. If nil, sessions are not saved.
	Journal journal.Store
	// Key is the agent's name in the journal. Listing an agent's sessions finds only
	// those with its key.
	Key string
	// Judge decides permission requests before the user is asked. If nil, the user
	// decides them all.
	Judge consent.Judge
	// Audit, if not nil, receives the outcome of each permission request. It must not
	// block, and must be safe for concurrent use.
	Audit func(consent.Decision)
	// Prepare lets initialize start an agent if only the agent itself knows its
	// capabilities; see agent.Preparer. An agent that speaks ACP itself is then always
	// started.
	Prepare bool
}

// DefaultMaxSessions is far more than an editor opens. Each session uses a process or a
// conversation with a server.
const DefaultMaxSessions = 1024

// Sessions returns the maximum number of open sessions.
func (c *Config) Sessions() int { return cmp.Or(c.MaxSessions, DefaultMaxSessions) }

// Archive returns the agent's saved sessions.
func (c *Config) Archive() Archive { return Archive{c.Journal, c.Key, c.Log} }
