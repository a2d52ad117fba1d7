package core

import (
	"cmp"
	"log/slog"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// Config is what a source needs besides its agent.
type Config struct {
	// Version is told to clients and to agents.
	Version string
	Log     *slog.Logger
	// MaxSessions bounds the open sessions; 0 means [DefaultMaxSessions].
	MaxSessions int
	// Journal saves the sessions; nil saves none.
	Journal journal.Store
	// Key names the agent in the journal: a session is listed only for its own agent.
	Key string
	// Judge decides requests for permission before the user is asked; nil decides none.
	Judge consent.Judge
	// Audit is given the outcome of each request for permission; it may be nil. It must
	// not block, and be safe for concurrent use.
	Audit func(consent.Decision)
	// Prepare lets initialize start an agent if only the agent knows what it takes; see
	// agent.Preparer. One that speaks the protocol itself is always started then.
	Prepare bool
}

// DefaultMaxSessions is far more than an editor opens. Each session has a process, or a
// conversation with a server.
const DefaultMaxSessions = 1024

// Sessions returns how many sessions may be open.
func (c *Config) Sessions() int { return cmp.Or(c.MaxSessions, DefaultMaxSessions) }

// Archive returns the saved sessions of the agent.
func (c *Config) Archive() Archive { return Archive{c.Journal, c.Key, c.Log} }
