package bridge

import (
	"context"
	"io"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/source/events"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
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
	// MaxSessions bounds the open sessions; 0 means [DefaultMaxSessions].
	MaxSessions int
	// Prepare lets initialize start an agent of which nobody knows yet what it
	// takes; see [agent.Preparer].
	Prepare bool
	// Join allows text deltas to be joined that arrive together, or while the
	// editor is slow.
	Join bool
}

// DefaultMaxSessions is far more than an editor opens. Each session has a
// process, or a conversation with a server.
const DefaultMaxSessions = core.DefaultMaxSessions

// Serve serves an agent to an editor that writes to in and reads from out: those
// are os.Stdin and os.Stdout in a program that an editor launches. Both are
// closed at the end where they can be. Nothing is logged or saved; [Config.Serve]
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
	log := cfg.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	source := events.Config{
		Agent: cfg.Agent, Name: cfg.Name,
		Config: core.Config{Version: cfg.Version, Log: log, MaxSessions: cfg.MaxSessions, Prepare: cfg.Prepare},
	}
	client := acp.Config{In: cfg.In, Out: cfg.Out, Log: log, Join: cfg.Join}
	return acp.Serve(ctx, client, func(v core.View) core.Source { return events.New(source, v) })
}
