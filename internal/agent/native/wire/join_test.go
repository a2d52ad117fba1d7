package wire_test

import (
	"context"
	"iter"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// pieces returns the text of an event that arrives in pieces, or nil for any
// other.
func pieces(e agent.Event) *agent.Text {
	switch e := e.(type) {
	case *agent.TextDelta:
		return &e.Text
	case *agent.ThinkingDelta:
		return &e.Thinking
	case *agent.ToolOutput:
		return &e.Text
	}
	return nil
}

// joined returns the events of a batch, with adjacent pieces of text joined.
func joined(b agent.Batch) iter.Seq[agent.Event] { return new(normalize.Joiner).Join(b.Events()) }

// maxJoined is the maximum length of joined text, in bytes of JSON.
const maxJoined = 16 << 10

// decoded returns the content of a stream's events: their JSON, with adjacent
// pieces of one text joined. count is the number of events.
func decoded(t *testing.T, stream string, events func(agent.Batch) iter.Seq[agent.Event]) (texts []string, count int) {
	t.Helper()
	var frame string
	var text []byte
	flush := func() {
		if frame != "" {
			texts = append(texts, frame+string(text))
			frame, text = "", nil
		}
	}
	err := dialect.Each(context.Background(), strings.NewReader(stream), dialect.Auto(wire.Dialect).NewDecoder(), slog.New(slog.DiscardHandler), func(b agent.Batch) bool {
		defer b.Release()
		for e := range events(b) {
			count++
			s := pieces(e)
			if s == nil {
				flush()
				texts = append(texts, string(agent.AppendJSON(nil, e)))
				continue
			}
			piece := rawjson.Body(*s)
			*s = agent.Text{}
			e.Common().Extra = nil // joined events have none
			if like := string(agent.AppendJSON(nil, e)); like != frame {
				flush()
				frame = like
			}
			text = append(text, piece...)
		}
		return true
	})
	require.NoError(t, err)
	flush()
	return texts, count
}

func TestJoinedEventsEqualSeparateEvents(t *testing.T) {
	lines := slices.Concat([]string{"", "no event", `{"type":"text_delta","text":"numbered","seq":1}`}, frequentLines, unusualLines)
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 40 {
		var stream strings.Builder
		for range 40 {
			line := lines[rnd.IntN(len(lines))]
			for i := range 1 + rnd.IntN(6) {
				stream.WriteString(strings.Replace(line, "a", strconv.Itoa(i), 1))
				stream.WriteString([]string{"\n", "\r\n"}[rnd.IntN(2)])
			}
		}
		each, _ := decoded(t, stream.String(), agent.Batch.Events)
		together, _ := decoded(t, stream.String(), joined)
		require.Equal(t, each, together, "%s", stream.String())
	}
}

// ends returns where the pieces of an event end.
func ends(e agent.Event) []int {
	switch e := e.(type) {
	case *agent.TextDelta:
		return e.Ends
	case *agent.ThinkingDelta:
		return e.Ends
	}
	return nil
}

// parts returns the event as its separate pieces.
func parts(e agent.Event) []string {
	text := pieces(e)
	if text == nil {
		return nil
	}
	if ends(e) == nil {
		return []string{string(rawjson.Body(*text))}
	}
	var texts []string
	from := 0
	for _, end := range ends(e) {
		texts = append(texts, string(rawjson.Body(*text)[from:end]))
		from = end
	}
	return texts
}

func TestJoinedEventsKnowTheirPieces(t *testing.T) {
	var lines []string
	for _, line := range slices.Concat(frequentLines, unusualLines) {
		if strings.Contains(line, "_delta") {
			lines = append(lines, line)
		}
	}
	rnd := rand.New(rand.NewPCG(9, 10))
	for range 40 {
		var stream strings.Builder
		for range 40 {
			line := lines[rnd.IntN(len(lines))]
			for i := range 1 + rnd.IntN(6) {
				stream.WriteString(strings.Replace(line, "a", strconv.Itoa(i), 1) + "\n")
			}
		}
		var each, together []string
		all := func(to *[]string, events func(agent.Batch) iter.Seq[agent.Event]) {
			err := dialect.Each(context.Background(), strings.NewReader(stream.String()), wire.Dialect.NewDecoder(), slog.New(slog.DiscardHandler), func(b agent.Batch) bool {
				defer b.Release()
				for e := range events(b) {
					for _, part := range parts(e) {
						if part != "" {
							*to = append(*to, part)
						}
					}
				}
				return true
			})
			require.NoError(t, err)
		}
		all(&each, agent.Batch.Events)
		all(&together, joined)
		require.Equal(t, each, together, "%s", stream.String())
	}
}

func TestPiecesThatArriveTogetherAreJoined(t *testing.T) {
	for _, line := range []string{
		`{"type":"text_delta","text":"piece","messageId":"m"}`,
		`{"type":"thinking_delta","thinking":"piece"}`,
		`{"type":"tool_output","toolCallId":"c","text":"piece"}`,
	} {
		stream := strings.Repeat(line+"\n", 100)
		_, each := decoded(t, stream, agent.Batch.Events)
		require.Equal(t, 100, each)
		_, together := decoded(t, stream, joined)
		// The first line of a kind is decoded separately, and a read returns 4
		// KiB.
		require.Less(t, together, 10, line)
	}
}

func TestJoinedTextIsBounded(t *testing.T) {
	for _, size := range []int{1000, maxJoined - 1, maxJoined, maxJoined + 1, 5 * maxJoined} {
		stream := strings.Repeat(`{"type":"text_delta","text":"`+strings.Repeat("a", size)+`"}`+"\n", 50)
		total := 0
		err := dialect.Each(context.Background(), strings.NewReader(stream), wire.Dialect.NewDecoder(), slog.New(slog.DiscardHandler), func(b agent.Batch) bool {
			defer b.Release()
			for e := range joined(b) {
				n := pieces(e).Len()
				require.LessOrEqual(t, n, max(size, maxJoined))
				total += n
			}
			return true
		})
		require.NoError(t, err)
		require.Equal(t, 50*size, total)
	}
}
