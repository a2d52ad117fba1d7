package cli

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/turnwire/turnwire/bridge"
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

// serveMeasured is serveChoice with what is measured of it.
func serveMeasured(ctx context.Context, t *telemetry.Telemetry, choice agents.Choice, config bridge.Config) error {
	w := t.Watch(choice.Key)
	defer w.End()
	config.In, config.Out = w.Tap(config.In, config.Out)
	return serveChoice(ctx, choice, config)
}
