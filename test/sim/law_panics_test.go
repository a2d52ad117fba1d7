package sim

import (
	"context"
	"errors"
	"log/slog"
	"strings"
)

// noPanics: nothing panics. Turnwire recovers from panics and logs them, so this law reads
// the log.
type noPanics struct{ world *World }

// Enabled implements [slog.Handler].
func (noPanics) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

// Handle implements [slog.Handler].
func (l noPanics) Handle(_ context.Context, r slog.Record) error {
	if !strings.Contains(r.Message, "panicked") {
		return nil
	}
	why := r.Message
	r.Attrs(func(a slog.Attr) bool {
		why += "\n" + a.String()
		return true
	})
	l.world.fail("nothing panics", errors.New(why))
	return nil
}

// WithAttrs implements [slog.Handler].
func (l noPanics) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements [slog.Handler].
func (l noPanics) WithGroup(string) slog.Handler { return l }
