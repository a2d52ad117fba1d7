package bridge_test

import (
	"context"
	"io"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/source/events"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
)

// A setup configures a bridge with everything that the program supports.
// [bridge.Config] has only a part of that.
type setup struct {
	events.Config
	client acp.Config
}

func newSetup(a agent.Agent, in io.Reader, out io.WriteCloser) *setup {
	log := slog.New(slog.DiscardHandler)
	return &setup{
		Config: events.Config{Config: core.Config{Version: "1.2.3", Log: log}, Agent: a},
		client: acp.Config{In: in, Out: out, Log: log},
	}
}

func (s *setup) serve(ctx context.Context) error {
	return acp.Serve(ctx, s.client, func(v core.View) core.Source { return events.New(s.Config, v) })
}
