package bridge

import (
	"context"
	"io"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/toolview"
	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/bridge/source/events"
	"github.com/turnwire/turnwire/bridge/view/acp"
)

// Config configures a bridge.
type Config struct {
	Agent agent.Agent
	// Name and Version are told to the editor as agentInfo. Absent they are
	// "turnwire" and the version of the agent.
	Name, Version string
	// In is closed at the end if it is an [io.Closer]. Close has to end a read that is in
	// progress.
	In  io.Reader
	Out io.WriteCloser
	Log *slog.Logger // nil logs nothing
	// Tools are the user's descriptions of tools, which override all others.
	Tools toolview.Table
	// MaxSessions bounds the open sessions; 0 means [DefaultMaxSessions].
	MaxSessions int
	// Journal keeps the sessions; nil keeps none.
	Journal journal.Store
	// Key names the agent there: a session is listed for the agent that has it.
	Key string
	// Judge decides requests for permission before the user is asked; nil decides
	// none.
	Judge consent.Judge
	// Audit is given the outcome of each request for permission; it may be nil. It
	// must not block, and be safe for concurrent use.
	Audit func(consent.Decision)
	// FrontEnd is where the user answers. Without a name it has that of the editor.
	FrontEnd consent.FrontEnd
	// Prepare lets initialize start an agent of which nobody knows yet what it
	// takes; see [agent.Preparer].
	Prepare bool
	// Join allows text deltas to be joined that arrive together, or while the
	// editor is slow.
	Join bool
}

// DefaultMaxSessions is far more than an editor opens. Each session has a
// process, or a conversation with a server.
const DefaultMaxSessions = events.DefaultMaxSessions

// Serve serves an agent to an editor that writes to in and reads from out: those
// are os.Stdin and os.Stdout in a program that an editor launches. Both are
// closed at the end where they can be. Nothing is logged or kept; [Config.Serve]
// has the choices.
func Serve(ctx context.Context, in io.Reader, out io.Writer, a agent.Agent) error {
	cfg := Config{Agent: a, Name: a.Info().Name, In: in, Out: nopCloser{out}, Join: true}
	if c, ok := out.(io.WriteCloser); ok {
		cfg.Out = c
	}
	return cfg.Serve(ctx)
}

// nopCloser is an output that need not be closed.
type nopCloser struct{ io.Writer }

// Close does nothing.
func (nopCloser) Close() error { return nil }

// Serve speaks ACP on In and Out until the input ends, the output breaks or ctx
// ends. Then it cancels what is running, stops every agent, and returns when
// nothing is left, within two seconds. It returns an error only if reading
// failed.
func (cfg Config) Serve(ctx context.Context) error {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return acp.Serve(ctx, cfg.Client(), cfg.Source)
}

// Source makes the source of the agent's sessions for a view.
func (cfg Config) Source(v core.View) core.Source {
	return events.New(events.Config{
		Agent: cfg.Agent, Name: cfg.Name, Version: cfg.Version, Log: cfg.Log, Tools: cfg.Tools, MaxSessions: cfg.MaxSessions,
		Journal: cfg.Journal, Key: cfg.Key, Judge: cfg.Judge, Audit: cfg.Audit, Prepare: cfg.Prepare,
	}, v)
}

// Client is the part of the configuration that says who the editor is.
func (cfg Config) Client() acp.Config {
	client := acp.Config{In: cfg.In, Out: cfg.Out, Log: cfg.Log, FrontEnd: cfg.FrontEnd, Join: cfg.Join}
	if c, ok := cfg.In.(io.Closer); ok {
		client.CloseIn = c.Close
	}
	return client
}
