package process

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/turns"
)

// Config describes a command that is an agent.
type Config struct {
	// Args is the command and its arguments, as [child.Spec] takes them.
	Args []string
	// Env is the whole environment; nil means that of this process.
	Env []string
	// Dialect is what the command prints.
	Dialect dialect.Dialect
	// Title names the agent to users; empty means the command's base name.
	Title string
	// Missing is what to do where the command is not there. It is added to the
	// error.
	Missing string
	// Greets says that the command may introduce itself with an [agent.Introduction].
	// It is started when the session is opened then, and not by the first prompt.
	Greets bool
	// GreetTimeout is how long after the start of the command that is waited for,
	// before a session's first prompt and in Prepare; 0 means
	// [DefaultGreetTimeout]. What comes later counts too.
	GreetTimeout time.Duration
	// Silence is how long the command may print nothing after its first prompt before
	// its author is told why that may be; 0 means [DefaultSilence].
	Silence time.Duration
	// Takes is what the command takes in prompts as long as it does not say that
	// itself; nil means what it has said when it was run last.
	Takes *agent.PromptTakes
	// Memory has what commands have said of themselves before; nil for none.
	Memory Memory
}

// DefaultGreetTimeout is how long an agent has to introduce itself.
const DefaultGreetTimeout = 500 * time.Millisecond

// Memory remembers what the command has said of itself, so that it is known
// before the command runs again.
type Memory interface {
	// Recall returns what was said when it was run last. Nil means that the
	// command has never run, and an empty introduction that it has said nothing.
	Recall() *Introduction
	// Remember keeps what the command has said.
	Remember(i Introduction)
}

// An Introduction is what is remembered of an [agent.Introduction].
type Introduction struct {
	Said    bool // the agent has introduced itself
	Brief   bool // it has not, but had no longer than until initialize was answered
	Name    string
	Version string
	Takes   agent.Takes
	Resume  bool
	History bool
}

type driver struct {
	config   Config
	prepared preparation
}

// New returns an agent that runs a command for each of its sessions.
func New(c Config) agent.Agent { return &driver{config: c} }

// Info implements [agent.Agent].
func (d *driver) Info() agent.Info {
	var name string
	if len(d.config.Args) > 0 {
		name = filepath.Base(d.config.Args[0])
	}
	title := d.config.Title
	if title == "" {
		title = name
	}
	info := agent.Info{Name: name, Title: title}
	if known := d.known(); known != nil {
		if known.Name != "" && d.config.Title == "" {
			info.Title = known.Name
		}
		info.Image, info.Audio, info.MCP, info.Resume = known.Takes.Image, known.Takes.Audio, known.Takes.MCP, known.Resume
		info.System = known.Takes.System
	}
	if d.config.Takes != nil {
		info.Image, info.Audio = d.config.Takes.Image, d.config.Takes.Audio
	}
	return info
}

// Open implements [agent.Agent]. It starts the command only if that may
// introduce itself.
func (d *driver) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	b := newBackend(d.config, o)
	b.early = d.take(o.Cwd)
	if d.config.Greets {
		return turns.OpenLineSession(b, o.Log)
	}
	return turns.NewLineSession(b, o.Log), nil
}
