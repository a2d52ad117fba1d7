package dialects

import (
	"bytes"
	"iter"
	"log/slog"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/dialects"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/agent/transport/batch"
)

// maxPositions bounds the number of events at which consumers stop.
const maxPositions = 8

// consumers are the ways in which the program reads a stream's events. Each
// calls take until it returns false.
var consumers = map[string]func(t *testing.T, stream []byte, d dialect.Decoder, take func(agent.Event) bool){
	"batches": func(t *testing.T, stream []byte, d dialect.Decoder, take func(agent.Event) bool) {
		inBatches(t, stream, d, take, agent.Batch.Events)
	},
	"joined batches": func(t *testing.T, stream []byte, d dialect.Decoder, take func(agent.Event) bool) {
		var j normalize.Joiner
		inBatches(t, stream, d, take, func(b agent.Batch) iter.Seq[agent.Event] { return j.Join(b.Events()) })
	},
	"leased batches": func(t *testing.T, stream []byte, d dialect.Decoder, take func(agent.Event) bool) {
		inBatches(t, stream, d, take, func(b agent.Batch) iter.Seq[agent.Event] { return batch.New(b, nil).Events() })
	},
	"Read": func(t *testing.T, stream []byte, d dialect.Decoder, take func(agent.Event) bool) {
		require.NoError(t, dialect.Read(bytes.NewReader(stream), d, discard, take))
	},
	"lines": func(_ *testing.T, stream []byte, d dialect.Decoder, take func(agent.Event) bool) {
		going := true
		for line := range bytes.Lines(bytes.ToValidUTF8(stream, []byte("\ufffd"))) {
			if !going {
				return
			}
			events := func(yield func(agent.Event) bool) { dialect.Decode(d, discard, bytes.TrimRight(line, "\r\n"), yield) }
			for e := range events {
				if going = take(e); !going {
					break
				}
			}
		}
	},
}

var discard = slog.New(slog.DiscardHandler)

func inBatches(t *testing.T, stream []byte, d dialect.Decoder, take func(agent.Event) bool, events func(agent.Batch) iter.Seq[agent.Event]) {
	t.Helper()
	going := true
	require.NoError(t, dialect.Each(t.Context(), bytes.NewReader(stream), d, discard, func(b agent.Batch) bool {
		defer b.Release()
		if !going {
			return true
		}
		for e := range events(b) {
			if going = take(e); !going {
				break
			}
		}
		return true
	}))
}

// A decoder that calls a stopped consumer again would panic in a goroutine that
// nothing recovers, and end the whole process.
func FuzzConsumersStopAtAnyEvent(f *testing.F) {
	known := append(dialects.All(), dialects.Auto())
	auto := uint8(len(known) - 1)
	f.Add([]byte(`{"type":"text_delta","content":"hi"}`+"\n"+`{"type":"text_dleta"}`+"\n"), auto)
	f.Add([]byte(`[{"type":"text_delta","content":"hi"}]`+"\ndata: "+`{"type":"done"}`+"\n"), auto)
	for i, d := range dialects.All() {
		for _, path := range goldenFiles(f, d, streams) {
			archive, err := os.ReadFile(path)
			require.NoError(f, err)
			f.Add(archive, uint8(i)) // the lines around the stream contain no events
		}
	}
	f.Fuzz(func(t *testing.T, stream []byte, which uint8) {
		d := known[int(which)%len(known)]
		for name, consume := range consumers {
			all := 0
			consume(t, stream, d.NewDecoder(), func(agent.Event) bool { all++; return true })
			for position := 1; position <= min(all, maxPositions); position++ {
				seen := 0
				consume(t, stream, d.NewDecoder(), func(agent.Event) bool { seen++; return seen < position })
				require.Equal(t, position, seen, "%s, %s", d.Name, name)
			}
		}
	})
}
