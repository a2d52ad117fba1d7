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
	// Name and Version are sent to the editor as agentInfo. They default to "turnwire"
	// and the agent's version.
	Name, Version string
	// In is closed at the end if it implements [io.Closer]. Close must interrupt a read
	// in progress.
	In  io.Reader
	Out io.WriteCloser
	Log *slog.Logger // nil logs nothing
	// MaxSessions bounds the open sessions; 0 means [DefaultMaxSessions].
	MaxSessions int
	// Prepare lets initialize start an agent whose capabilities are unknown; see
	// [agent.Preparer].
	Prepare bool
	// Join allows text deltas to be joined if they arrive together, or while the editor
	// is slow.
	Join bool
}

// DefaultMaxSessions is far more than an editor opens. Each session uses a process or a
// conversation with a server.
const DefaultMaxSessions = core.DefaultMaxSessions

// Serve serves an agent to an editor that writes to in and reads from out. In a program
// launched by an editor these are os.Stdin and os.Stdout. Serve closes both before it
// returns, if they can be closed. Nothing is logged or saved; use [Config.Serve] for
// more options.
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

// Serve speaks ACP on In and Out until In ends, Out breaks or ctx is done. Then it
// cancels all turns, stops every agent, and returns within two seconds. It returns an
// error only if reading failed.
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
