package cli

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/spf13/cobra"
)

// logOptions are the logging flags. Nothing is logged without a file, because editors
// show output on stderr as an error.
type logOptions struct {
	file   string
	level  string
	format string
}

func (o *logOptions) add(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringVar(&o.file, "log-file", "", "append a log to `FILE`, or \"-\" for stderr (default: no log)")
	f.StringVar(&o.level, "log-level", "info", "log `LEVEL`: debug, info, warn or error")
	f.StringVar(&o.format, "log-format", "text", "log `FORMAT`: text or json")
	_ = cmd.RegisterFlagCompletionFunc("log-level", cobra.FixedCompletions([]string{"debug", "info", "warn", "error"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("log-format", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
}

func (o *logOptions) open() (*slog.Logger, io.Closer, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(o.level)); err != nil {
		return nil, nil, usagef("--log-level %q: must be debug, info, warn or error", o.level)
	}
	if o.format != "" && o.format != "text" && o.format != "json" {
		return nil, nil, usagef("--log-format %q: must be text or json", o.format)
	}
	switch o.file {
	case "":
		return slog.New(slog.DiscardHandler), io.NopCloser(nil), nil
	case "-":
		return slog.New(o.handler(os.Stderr, level)), io.NopCloser(nil), nil
	}
	// Prompts are private, so only the user may read the log.
	f, err := os.OpenFile(o.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("--log-file: %w", err)
	}
	return slog.New(o.handler(f, level)), f, nil
}

func (o *logOptions) handler(to io.Writer, level slog.Level) slog.Handler {
	options := &slog.HandlerOptions{Level: level}
	if o.format == "json" {
		return slog.NewJSONHandler(to, options)
	}
	return slog.NewTextHandler(to, options)
}

// closeWith closes c and joins its error to err.
func closeWith(c io.Closer, err error) error {
	return errors.Join(err, c.Close())
}
