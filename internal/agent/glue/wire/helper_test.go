package wire_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/glue/wire"
)

// decode returns the JSON of all events of the lines, and the error of the last
// line.
func decode(t testing.TB, d dialect.Decoder, lines ...string) (events []string, err error) {
	t.Helper()
	for _, line := range lines {
		err = d.Decode([]byte(line), func(e agent.Event) bool {
			events = append(events, encode(t, e))
			return true
		})
	}
	return events, err
}

// encode checks an event for properties that the rest of the program relies on,
// and returns its JSON.
func encode(t testing.TB, e agent.Event) string {
	t.Helper()
	out := agent.AppendJSON(nil, e)
	require.True(t, utf8.Valid(out), "%q", out)
	require.True(t, json.Valid(out), "%s", out)
	return string(out)
}

func decoded(t testing.TB, lines ...string) []string {
	t.Helper()
	events, err := decode(t, wire.Dialect.NewDecoder(), lines...)
	require.NoError(t, err)
	return events
}
