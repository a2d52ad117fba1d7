package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/ethos/wire"
)

// decode returns the events of lines as JSON, and the errors.
func decode(d dialect.Decoder, lines ...string) (events []string, errs []error) {
	for _, line := range lines {
		err := d.Decode([]byte(line), func(e agent.Event) bool {
			events = append(events, string(agent.AppendJSON(nil, e)))
			return true
		})
		if err != nil {
			errs = append(errs, err)
		}
	}
	return events, errs
}

// decoded returns the events of lines, each of which must hold one.
func decoded(t *testing.T, lines ...string) []string {
	t.Helper()
	events, errs := decode(wire.Dialect.NewDecoder(), lines...)
	require.Empty(t, errs)
	return events
}
