package dialect_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

var errOdd = errors.New("odd")

// plain is a dialect whose lines are its events. It refuses lines that start
// with a question mark, and reports those with an exclamation mark as
// malformed.
var plain = dialect.Dialect{
	Name:       "plain",
	Recognise:  func(line []byte) bool { return bytes.HasPrefix(line, []byte("plain")) },
	NewDecoder: func() dialect.Decoder { return plainDecoder{} },
}

type plainDecoder struct{}

func (plainDecoder) Decode(line []byte, yield func(agent.Event) bool) error {
	switch line[0] {
	case '?':
		return dialect.ErrNotObject
	case '!':
		return &dialect.MalformedError{Type: "bang", Raw: line, Err: errOdd}
	}
	yield(&agent.Unknown{Name: "line", Raw: line})
	return nil
}

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// text returns the line that an event was decoded from.
func text(e agent.Event) string {
	u, ok := e.(*agent.Unknown)
	if !ok {
		return e.Type()
	}
	return string(u.Raw)
}

// pumped returns the events that Pump decodes from r.
func pumped(t *testing.T, r io.Reader, d dialect.Decoder, log *slog.Logger) ([]string, error) {
	t.Helper()
	out := make(chan agent.Batch)
	ended := make(chan error, 1)
	go func() {
		ended <- dialect.Pump(t.Context(), r, d, log, out)
		close(out)
	}()
	var got []string
	for b := range out {
		for e := range b.Events() {
			if _, hint := e.(*agent.Hint); !hint {
				got = append(got, text(e))
			}
		}
		b.Release()
	}
	return got, <-ended
}

// read returns the events that Read decodes from r.
func read(t *testing.T, r io.Reader, d dialect.Decoder, log *slog.Logger) ([]string, error) {
	t.Helper()
	var got []string
	err := dialect.Read(r, d, log, func(e agent.Event) bool {
		if _, hint := e.(*agent.Hint); !hint {
			got = append(got, text(e))
		}
		return true
	})
	return got, err
}

// readers are both ways to read a stream, which must have the same result.
var readers = map[string]func(*testing.T, io.Reader, dialect.Decoder, *slog.Logger) ([]string, error){
	"Pump": pumped,
	"Read": read,
}

// logged returns a log and its content.
func logged() (*slog.Logger, *strings.Builder) {
	var b strings.Builder
	return slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug})), &b
}

// requireLines compares lines without printing very long ones.
func requireLines(t *testing.T, want, got []string) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.Len(t, got[i], len(want[i]), "line %d", i)
		require.Zero(t, strings.Compare(want[i], got[i]), "line %d", i)
	}
}
