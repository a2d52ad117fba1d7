package cli

import (
	"context"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/telemetry"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
)

// telemetryBudget limits how long the shutdown waits for unsent telemetry.
const telemetryBudget = time.Second

// openTelemetry returns the telemetry, or nil if it is disabled, and a function that
// sends the remaining data at the end.
func openTelemetry(log *slog.Logger, scrape bool) (t *telemetry.Telemetry, finish func(), err error) {
	t, err = telemetry.Open(telemetry.Options{Getenv: os.Getenv, Version: version(), Scrape: scrape, Log: log})
	if err != nil {
		return nil, nil, usagef("%v", err)
	}
	return t, func() {
		ctx, stop := context.WithTimeout(context.Background(), telemetryBudget)
		defer stop()
		if err := t.Close(ctx); err != nil {
			log.Warn("some telemetry was not sent", "error", err)
		}
	}, nil
}

// serveMeasured serves an agent to a client, with telemetry.
func serveMeasured(ctx context.Context, t *telemetry.Telemetry, choice agents.Choice, config core.Config, client acp.Config) error {
	if c, ok := client.In.(io.Closer); ok {
		client.CloseIn = c.Close
	}
	client.In, client.Out = t.Count(choice.Key, client.In, client.Out)
	return acp.Serve(ctx, client, func(v core.View) core.Source { return measuredSource(t, choice, config, v) })
}

// measuredSource is [sourceOf] with telemetry.
func measuredSource(t *telemetry.Telemetry, choice agents.Choice, config core.Config, v core.View) core.Source {
	return t.Watch(choice.Key).Around(v, func(v core.View) core.Source { return sourceOf(choice, config, v) })
}
