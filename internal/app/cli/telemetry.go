package cli

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/turnwire/turnwire/bridge"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/view/acp"
	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/telemetry"
)

// telemetryBudget bounds how long the end waits for what is not sent yet.
const telemetryBudget = time.Second

// openTelemetry returns what measures, nil where nobody wants to know, and what
// sends the rest at the end.
func openTelemetry(log *slog.Logger, scrape bool) (t *telemetry.Telemetry, finish func(), err error) {
	t, err = telemetry.Open(telemetry.Options{Getenv: os.Getenv, Version: version(), Scrape: scrape, Log: log})
	if err != nil {
		return nil, nil, usagef("%v", err)
	}
	return t, func() {
		ctx, stop := context.WithTimeout(context.Background(), telemetryBudget)
		defer stop()
		if err := t.Close(ctx); err != nil {
			log.Warn("not all telemetry was sent", "error", err)
		}
	}, nil
}

// serveMeasured serves an agent on the streams of config, and measures that.
func serveMeasured(ctx context.Context, t *telemetry.Telemetry, choice agents.Choice, config bridge.Config) error {
	client := config.Client()
	client.In, client.Out = t.Count(choice.Key, client.In, client.Out)
	return acp.Serve(ctx, client, func(v core.View) core.Source { return measuredSource(t, choice, config, v) })
}

// measuredSource is [sourceOf] with what is measured of it.
func measuredSource(t *telemetry.Telemetry, choice agents.Choice, config bridge.Config, v core.View) core.Source {
	return t.Watch(choice.Key).Around(v, func(v core.View) core.Source { return sourceOf(choice, config, v) })
}
