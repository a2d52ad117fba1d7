package telemetry

import (
	"errors"

	"go.opentelemetry.io/otel/metric"
)

// instruments are the metrics. They have the conventions' names where those exist.
type instruments struct {
	connections, sessions, running, waiting metric.Int64UpDownCounter
	failures                                metric.Int64Counter
	turn, firstText, tool, confirmation     metric.Float64Histogram
	tokens                                  metric.Float64Histogram
	totals                                  allTotals
}

// long are the bucket limits, in seconds, for durations from milliseconds to an hour.
var long = []float64{0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600}

// sizes are the bucket limits for tokens, as the conventions define them.
var sizes = []float64{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864}

func newInstruments(m metric.Meter) (*instruments, error) {
	var i instruments
	var failed []error
	upDown := func(to *metric.Int64UpDownCounter, name, unit, text string) {
		c, err := m.Int64UpDownCounter(name, metric.WithUnit(unit), metric.WithDescription(text))
		*to, failed = c, append(failed, err)
	}
	counter := func(to *metric.Int64Counter, name, unit, text string) {
		c, err := m.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(text))
		*to, failed = c, append(failed, err)
	}
	histogram := func(to *metric.Float64Histogram, name, unit, text string, limits []float64) {
		h, err := m.Float64Histogram(name, metric.WithUnit(unit), metric.WithDescription(text), metric.WithExplicitBucketBoundaries(limits...))
		*to, failed = h, append(failed, err)
	}
	upDown(&i.connections, "turnwire.connections", "{connection}", "Connected clients.")
	upDown(&i.sessions, "turnwire.sessions", "{session}", "Open sessions.")
	upDown(&i.running, "turnwire.turns.running", "{turn}", "Running turns.")
	upDown(&i.waiting, "turnwire.confirmations.waiting", "{confirmation}", "Pending requests to the user.")
	counter(&i.failures, "turnwire.errors", "{error}", "Client requests answered with an error.")
	histogram(&i.turn, "turnwire.turn.duration", "s", "How long turns took, without waiting for the user.", long)
	histogram(&i.firstText, "turnwire.turn.time_to_first_text", "s", "Time from a prompt to its first text.", long)
	histogram(&i.tool, "turnwire.tool.duration", "s", "How long tool calls took, without waiting for the user.", long)
	histogram(&i.confirmation, "turnwire.confirmation.duration", "s", "How long the user took to answer.", long)
	histogram(&i.tokens, "gen_ai.client.token.usage", "{token}", "Tokens of turns.", sizes)
	return &i, errors.Join(append(failed, i.totals.register(m))...)
}
