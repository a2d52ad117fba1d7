package events

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/dialects"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

// read decodes a stream like any program would, and sums it up.
func read(t *testing.T, s *Stream) (Summary, map[string]int) {
	t.Helper()
	var out bytes.Buffer
	n, err := s.WriteTo(&out)
	require.NoError(t, err)
	require.Equal(t, s.Bytes, n)
	var got Summary
	text, thought, kinds := NewDigester(), NewDigester(), map[string]int{}
	for line := range bytes.Lines(out.Bytes()) {
		var e struct{ Type, Text, Thinking, Result string }
		require.NoError(t, json.Unmarshal(line, &e))
		kinds[e.Type]++
		text.Add(e.Text)
		thought.Add(e.Thinking)
		got.ResultBytes += int64(len(e.Result))
	}
	got.Text, got.Thought, got.Calls = text.Digest(), thought.Digest(), kinds["tool_end"]
	return got, kinds
}

func TestMixedIsMostlyTextAndSummedUpCorrectly(t *testing.T) {
	s := Mixed(1000)
	got, kinds := read(t, s)
	require.Equal(t, s.Summary, got)
	require.Equal(t, map[string]int{
		"text_delta": 950, "thinking_delta": 20, "tool_start": 10, "tool_progress": 10, "tool_end": 10,
	}, kinds)
}

func TestWrittenHasTheRightSummaryAndItsOwnMembers(t *testing.T) {
	s := Written(1000)
	got, kinds := read(t, s)
	require.Equal(t, s.Summary, got)
	require.Equal(t, 950, kinds["text_delta"])
	var out bytes.Buffer
	_, err := s.WriteTo(&out)
	require.NoError(t, err)
	for line := range bytes.Lines(out.Bytes()) {
		var e map[string]any
		require.NoError(t, json.Unmarshal(line, &e))
		require.Contains(t, e, "seq")
	}
}

// If a bridge didn't recognise the lines, the bench would measure nothing.
func TestToolsAreKnownToTheirDialects(t *testing.T) {
	for _, d := range Dialects {
		known, ok := dialects.Named(d.Name)
		require.True(t, ok, d.Name)
		var out bytes.Buffer
		s := Tools(100, d)
		_, err := s.WriteTo(&out)
		require.NoError(t, err)
		require.Equal(t, s.Events, bytes.Count(out.Bytes(), []byte{'\n'}))
		decoder, ends := known.NewDecoder(), 0
		for line := range bytes.Lines(append(out.Bytes(), d.Done+"\n"...)) {
			require.NoError(t, decoder.Decode(bytes.TrimSpace(line), func(e agent.Event) bool {
				switch e.(type) {
				case *agent.Unknown:
					require.Fail(t, "it is not known", "%s", line)
				case *agent.ToolEnd:
					ends++
				case *agent.Done:
					ends += 1000
				}
				return true
			}), "%s", line)
		}
		require.Equal(t, 1000+s.Summary.Calls, ends, d.Name)
	}
}

func TestResultsHaveTheSizeThatWasAskedFor(t *testing.T) {
	s := Results(5, 100_000)
	got, kinds := read(t, s)
	require.Equal(t, s.Summary, got)
	require.Equal(t, map[string]int{"tool_start": 5, "tool_end": 5}, kinds)
	require.InDelta(t, 500_000, s.Bytes, 5_000)
}

func TestEveryLineIsAKnownEventOfTheNativeDialect(t *testing.T) {
	decoder := native.Dialect.NewDecoder()
	for _, s := range []*Stream{Mixed(1000), Results(2, 1000)} {
		var out bytes.Buffer
		_, err := s.WriteTo(&out)
		require.NoError(t, err)
		n := 0
		for line := range bytes.Lines(out.Bytes()) {
			require.NoError(t, decoder.Decode(bytes.TrimSuffix(line, []byte{'\n'}), func(e agent.Event) bool {
				n++
				_, unknown := e.(*agent.Unknown)
				require.False(t, unknown, "%s is not known", line)
				if extra := e.Common().Extra; extra != nil {
					require.Regexp(t, `^"seq":\d+$`, string(extra), "%s has members that nobody reads", line)
				}
				return true
			}))
		}
		require.Equal(t, s.Events, n)
	}
}

func TestTheSameParametersMakeTheSameStream(t *testing.T) {
	one, other := Mixed(500), Mixed(500)
	require.Equal(t, one, other)
}

func TestRenumberingUsesNoIDTwice(t *testing.T) {
	s := Mixed(1000)
	seen := map[string]bool{}
	for range 3 {
		var out bytes.Buffer
		_, err := s.WriteTo(&out)
		require.NoError(t, err)
		for line := range bytes.Lines(out.Bytes()) {
			var e struct{ Type, ToolCallID string }
			require.NoError(t, json.Unmarshal(line, &e))
			if e.Type == "tool_start" {
				require.False(t, seen[e.ToolCallID], "%s comes twice", e.ToolCallID)
				seen[e.ToolCallID] = true
			}
		}
		s.Renumber(s.Summary.Calls)
	}
	require.Len(t, seen, 30)
}

func TestStampsAreFoundWhereverTheStreamIsCut(t *testing.T) {
	first, second := time.Unix(1_800_000_000, 123), time.Unix(1_800_000_001, 456)
	stream := AppendStamped(AppendStamped(nil, 2, first), 1, second)
	for cut := range stream {
		var got []int64
		add := func(at time.Time) { got = append(got, at.UnixNano()) }
		rest := Stamps(stream[:cut], add)
		rest = Stamps(append(append([]byte(nil), rest...), stream[cut:]...), add)
		require.Empty(t, rest)
		require.Equal(t, []int64{first.UnixNano(), first.UnixNano(), second.UnixNano()}, got, "cut at %d", cut)
	}
}
