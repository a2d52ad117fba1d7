package wire_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// reversed returns an object with the order of its members and its body's
// members reversed, and with unknown members before and after them.
func reversed(object string) string {
	members := []string{`"unknownBefore":[1,{"event_type":"run_finish"}]`}
	o := rawjson.Walk([]byte(object))
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		text := string(value)
		if body := string(key); (body == "data" || body == "payload" || body == "result") && value[0] == '{' {
			text = reversed(text)
		}
		members = append(members, `"`+string(key)+`" : `+text)
	}
	members = append(members, `"unknownAfter":{"delta":"x"}`)
	slices.Reverse(members)
	return "{ " + strings.Join(members, " , ") + "}"
}

// repeatsItsLine reports whether an event contains unknown members of its
// line, and thus the added ones.
func repeatsItsLine(event string) bool { return strings.Contains(event, "unknown") }

func TestMembersMayComeInAnyOrder(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		plain, other := newStream(t), newStream(t)
		for line := range strings.Lines(string(archive.Files[0].Data)) {
			line = strings.TrimRight(line, "\n")
			want, err := plain.try(line)
			if err != nil {
				continue
			}
			got := other.add(reversed(line))
			require.Len(t, got, len(want), "%s: %s", path, line)
			for i := range got {
				if !repeatsItsLine(got[i]) {
					require.Equal(t, want[i], got[i], "%s: %s", path, line)
				}
			}
		}
	}
}

// pieces are lines that differ little from their neighbours.
var pieces = []string{
	textDelta("plain"), textDelta("b"), textDelta(`half \ud83d`), textDelta(`\ude42 half`), textDelta(""), textDelta("c"),
	`{"event_type":"text_delta","delta":"d","more":1}`, `{"event_type":"text_delta","delta":null}`,
	`{"event_type":"reasoning_delta","delta":"hm"}`, `{"event_type":"reasoning_delta","delta":"hm hm"}`,
	`{"event_type":"tool_call_delta","id":"c","args_delta":"{\"a\""}`, `{"event_type":"tool_call_delta","id":"c","args_delta":":1}"}`,
	`{"event_type":"tool_call_delta","id":"d","args_delta":"{}"}`,
	older("text_delta", `{"delta":"a"}`), strings.Replace(older("text_delta", `{"delta":"\"b\\"}`), "7", "23", 1),
	strings.Replace(older("text_delta", `{"delta":"c"}`), "step:0", "step:1", 1),
	older("reasoning_delta", `{"delta":"e"}`), `{"type":"text_delta","data":{"delta":"bare"}}`, `{"type":"text_delta","delta":"barer"}`,
	fact("1", "TextDeltaObserved", textDelta("f")), fact("2", "TextDeltaObserved", textDelta("g")), fact("3", "ReasoningDeltaObserved", `{"event_type":"reasoning_delta","delta":"h"}`),
}

func TestPiecesDecodeTheSameAfterOthers(t *testing.T) {
	s := newStream(t)
	for _, line := range pieces {
		want := newStream(t).add(line)
		require.Equal(t, want, s.add(line), line)
		require.Equal(t, want, s.add(line), line)
	}
}

func TestAlmostSimilarLinesAreNotEvents(t *testing.T) {
	s := newStream(t)
	s.add(older("text_delta", `{"delta":"a"}`))
	for _, number := range []string{"", "1700000:00000", "0170000000", "7.", "7e"} {
		got, err := s.try(strings.Replace(older("text_delta", `{"delta":"lost"}`), "1700000000007", number, 1))
		require.Error(t, err, number)
		require.Empty(t, got)
	}
}

func TestPiecesAfterTheEndAreIgnored(t *testing.T) {
	s := newStream(t)
	require.Len(t, s.add(began, textDelta("a"), textDelta("b"), finished), 4)
	require.Empty(t, s.add(textDelta("c"), textDelta("d"), ready("c1"), fact("1", "TextDeltaObserved", textDelta("e"))))
	require.Len(t, s.add(began, textDelta("f")), 2)
}

func TestAMalformedLineChangesNothing(t *testing.T) {
	for _, line := range []string{
		`{"event_type":"run_start","run_id":7}`, `{"event_type":"run_start","run_id":"r2","identity":[]}`,
		`{"event_type":"run_finish","run_id":"r1","termination":7}`, `{"event_type":"run_finish","run_id":7}`,
		`{"event_type":"error","message":7}`, `{"event_type":"stream_reset","reason":7}`,
		`{"event_type":"inference_complete","usage":{"prompt_tokens":"many"}}`, `{"event_type":"inference_complete","usage":7}`,
		`{"event_type":"tool_call_ready","id":7,"name":"n"}`, `{"event_type":"tool_call_done","id":"c1","result":{"status":7}}`,
		`{"event_type":"tool_call_stream_delta","id":"c9","name":7,"delta":"x"}`, `{"event_type":"tool_call_stream_delta","delta":"x"}`,
		`{"event_type":"activity_snapshot","message_id":"c1","activity_type":"tool-call-progress","content":{"progress":"half"}}`,
		`{"event_type":"activity_delta","message_id":"c1","activity_type":"tool-call-progress","patch":{}}`,
	} {
		s, same := newStream(t), newStream(t)
		s.add(began, ready("c1"))
		same.add(began, ready("c1"))
		got, err := s.try(line)
		require.Error(t, err, line)
		require.Empty(t, got, line)
		rest := []string{computed, done("c1"), finished}
		require.Equal(t, same.add(rest...), s.add(rest...), line)
	}
}
