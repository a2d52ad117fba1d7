package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/notify"
)

// notifier returns the notifier that the user's file configures, or nil.
func (o *serveOptions) notifier(log *slog.Logger) (*notify.Notifier, error) {
	settings, err := config.Find(o.agent.config, ".").Notify(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	return notify.New(notify.Options{Config: settings, Log: log}), nil
}

// testNotifications sends a test notification to each target, and prints the outcomes.
func (o *serveOptions) testNotifications(ctx context.Context, out io.Writer) error {
	n, err := o.notifier(nil)
	if err != nil {
		return err
	}
	defer n.Close()
	if n == nil {
		return errors.New(`no notifications are configured: add "notify" to your turnwire.json`)
	}
	failed := 0
	for _, r := range n.Test(ctx) {
		outcome := "sent"
		if r.Err != nil {
			outcome = r.Err.Error()
			failed++
		}
		fmt.Fprintf(out, "%s: %s\n", r.Target, outcome)
	}
	if failed > 0 {
		return fmt.Errorf("%d test notifications were not sent", failed)
	}
	return nil
}
