package process

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// Config describes an agent that is a command.
type Config struct {
	// Args is the command and its arguments, as in [child.Spec].
	Args []string
	// Env is the whole environment. If it is nil, this process's is used.
	Env []string
	// Dialect is the dialect of the command's output.
	Dialect dialect.Dialect
	// Info describes an agent that is known without its introduction. It may be nil.
	Info *agent.Info
	// Title is the name for users of an agent that doesn't introduce itself. If it is
	// empty, the command's base name is used.
	Title string
	// Missing says what to do if the command is not installed. It is appended to the
	// error.
	Missing string
	// Greets means that the command may introduce itself with an
	// [agent.Introduction]. It is then started when the session is opened, not by the
	// first prompt.
	Greets bool
	// GreetTimeout is how long to wait for the introduction after the command was
	// started, before a session's first prompt and in Prepare. 0 means
	// [DefaultGreetTimeout]. A later introduction still counts.
	GreetTimeout time.Duration
	// Silence is how long the command may print nothing after its first prompt before
	// the user gets a hint. 0 means [DefaultSilence].
	Silence time.Duration
	// Misuse is what is wrong with the command line if the command prints no event. It
	// is nil if nothing is known about the command.
	Misuse *lint.Finding
	// Takes is what the command accepts in prompts, until it introduces itself. If it
	// is nil, its introduction from the last run is used.
	Takes *agent.PromptTakes
	// Memory stores introductions from earlier runs. It may be nil.
	Memory Memory
	// Protocol returns the protocol of a session with a command that doesn't read the
	// commands of package agent. It may be nil.
	Protocol func(o agent.Options) Protocol
	// Start starts the command. If it is nil, [child.Start] does.
	Start func(child.Spec) (Child, error)
}

// A Protocol is what a command reads instead of the commands of package agent. Its
// methods must be safe for concurrent use.
type Protocol interface {
	// Dialect returns the dialect of the command's output.
	Dialect() dialect.Dialect
	// Args returns more arguments for the next child.
	Args(m agent.Memory) []string
	// FirstMessages returns the first messages for a new child.
	FirstMessages() []any
	// Translate returns the messages for a command, or nil if the child doesn't need it.
	// If it translates an answer, it also translates its refusal. Messages encode as JSON.
	Translate(command any) []any
}

// A Child is a running command. Its methods behave like those of [child.Child].
type Child interface {
	Stdin() io.WriteCloser
	Stdout() io.Reader
	Done() <-chan struct{}
	StderrTail() string
	Stop(ctx context.Context) child.ExitStatus
	Kill()
	Close()
}

var _ Child = (*child.Child)(nil)

// start starts the command in a folder, with more arguments.
func (c *Config) start(dir string, log *slog.Logger, more ...string) (Child, error) {
	spec := child.Spec{Args: slices.Concat(c.Args, more), Dir: dir, Env: c.Env, Stdin: true, Log: log}
	if c.Start != nil {
		return c.Start(spec)
	}
	started, err := child.Start(spec)
	if err != nil {
		return nil, err
	}
	return started, nil
}

// DefaultGreetTimeout is how long an agent has to introduce itself.
const DefaultGreetTimeout = 500 * time.Millisecond

// Memory remembers the command's introduction, so that it is known before the command
// runs again.
type Memory interface {
	// Recall returns the introduction of the last run. Nil means that the command has
	// never run. An empty introduction means that it did not introduce itself.
	Recall() *Introduction
	// Remember stores the command's introduction.
	Remember(i Introduction)
}

// An Introduction is what is remembered of an [agent.Introduction].
type Introduction struct {
	Known   bool // the agent introduced itself
	Brief   bool // it did not, but only had time until the initialize response
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
	if d.config.Info != nil {
		info := *d.config.Info
		info.Local = true
		return info
	}
	var name string
	if len(d.config.Args) > 0 {
		name = filepath.Base(d.config.Args[0])
	}
	info := agent.Info{Name: name, Title: cmp.Or(d.config.Title, name), Local: true}
	if known := d.known(); known != nil {
		info.Title = cmp.Or(known.Name, info.Title)
		info.Image, info.Audio, info.MCP, info.Resume = known.Takes.Image, known.Takes.Audio, known.Takes.MCP, known.Resume
		info.System, info.Steer, info.Rewind = known.Takes.System, known.Takes.Steer, known.History
	}
	if d.config.Takes != nil {
		info.Image, info.Audio = d.config.Takes.Image, d.config.Takes.Audio
	}
	return info
}

// Open implements [agent.Agent]. It starts the command only if the command may
// introduce itself.
func (d *driver) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	b := newBackend(d.config, o)
	b.early = d.claim(o.Cwd)
	if d.config.Greets {
		return lifecycle.OpenLineSession(b, o.Log)
	}
	return lifecycle.NewLineSession(b, o.Log), nil
}
