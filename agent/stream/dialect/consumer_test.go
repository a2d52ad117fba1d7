package dialect_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

// doubtful decodes to an event and a hint about it.
const doubtful = `{"type":"text_delta","content":"hi"}` + "\n"

// stopAt reads the batches of a stream and stops each batch at one event.
func stopAt(t *testing.T, stream string, d dialect.Decoder, position int) (seen int) {
	t.Helper()
	require.NoError(t, dialect.Each(t.Context(), strings.NewReader(stream), d, discard(), func(b agent.Batch) bool {
		defer b.Release()
		in := 0
		for range b.Events() {
			seen++
			if in++; in == position {
				break
			}
		}
		return true
	}))
	return seen
}

func TestABatchIterationCanStopAtAnyEvent(t *testing.T) {
	for name, stream := range map[string]string{
		"an event that lacks its text": doubtful,
		"two of them":                  doubtful + `{"type":"thinking_delta","text":"hm"}` + "\n",
		"an unknown event":             `{"type":"text_dleta"}` + "\n",
		"a line in an array":           "[" + strings.TrimSpace(doubtful) + "]\n",
		"a refused confirmation":       `{"type":"confirmation_requested","confirmationId":"c","toolName":7}` + "\n" + doubtful,
		"an overlong line":             `{"type":"confirmation_requested","confirmationId":"c","toolName":"` + strings.Repeat("x", dialect.MaxLine) + "\n" + doubtful,
	} {
		t.Run(name, func(t *testing.T) {
			all := stopAt(t, stream, native.Dialect.NewDecoder(), -1)
			require.Positive(t, all)
			for position := range all {
				require.Equal(t, position+1, stopAt(t, stream, native.Dialect.NewDecoder(), position+1))
			}
		})
	}
}

func TestAReaderCanStopAtAnyEvent(t *testing.T) {
	stream := doubtful + "[" + strings.TrimSpace(doubtful) + "]\n" + greeting
	for position := 1; position <= 2; position++ {
		seen := 0
		require.NoError(t, dialect.Read(strings.NewReader(stream), native.Dialect.NewDecoder(), discard(), func(agent.Event) bool {
			seen++
			return seen < position
		}))
		require.Equal(t, position, seen)
	}
}
