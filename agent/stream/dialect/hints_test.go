package dialect_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

const (
	greeting = `{"type":"text_delta","text":"hello"}` + "\n"
	done     = `{"type":"done","text":""}` + "\n"
)

func utf16le(text string) string {
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return string(out)
}

// hintsOf returns the types of a stream's events, and its hints with their lines.
func hintsOf(t *testing.T, in string) []string {
	t.Helper()
	var got []string
	require.NoError(t, dialect.Each(t.Context(), strings.NewReader(in), dialect.Auto(native.Dialect).NewDecoder(), discard(), func(b agent.Batch) bool {
		for e := range b.Events() {
			if h, ok := e.(*agent.Hint); ok && h.Again {
				got = append(got, "again "+h.Rule)
				continue
			} else if ok {
				require.NotEmpty(t, h.Help, h.Message)
				got = append(got, fmt.Sprintf("%d %s: %s", h.Line, h.Rule, h.Message))
				continue
			}
			got = append(got, e.Type())
		}
		b.Release()
		return true
	}))
	return got
}

func TestEachKindOfMistakeIsReportedOnceWithItsLine(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"a good stream":             {greeting + done, []string{"text_delta", "done"}},
		"a misspelt type":           {"\n" + `{"type":"text_dleta","text":"a"}` + "\n" + `{"type":"text_dleta","text":"b"}` + "\n" + done, []string{"text_dleta", `2 unknown-event: unknown event "text_dleta"; did you mean "text_delta"?`, "text_dleta", "again unknown-event", "done"}},
		"two of them":               {`{"type":"text_dleta"}` + "\n" + `{"type":"dnoe"}` + "\n", []string{"text_dleta", `1 unknown-event: unknown event "text_dleta"; did you mean "text_delta"?`, "dnoe", `2 unknown-event: unknown event "dnoe"; did you mean "done"?`}},
		"a wrong enumeration value": {`{"type":"done","text":"","stopReason":"stop"}` + "\n", []string{"done", "1 unknown-value: unknown value \"stop\" for `stopReason`"}},
		"one in a list":             {`{"type":"plan","entries":[{"content":"a"},{"content":"b","status":"don"}]}` + "\n", []string{"plan", "1 unknown-value: unknown value \"don\" for `status`"}},
		"values that are known":     {`{"type":"plan","entries":[{"content":"a","status":"completed"},{"content":"b","status":""}]}` + "\n" + `{"type":"done","text":"","stopReason":"refusal"}` + "\n", []string{"plan", "done"}},
		"a missing id":              {`{"type":"tool_start","toolName":"read"}` + "\n", []string{"tool_start", "1 missing-member: `tool_start` lacks the required member `toolCallId`"}},
		"an empty text":             {`{"type":"text_delta","text":"","more":1}` + "\n", []string{"text_delta"}},
		"pretty-printed": {"{\n  \"type\": \"text_delta\",\n  \"text\": \"hello\"\n}\n" + done,
			[]string{"1 pretty-json: the JSON object does not end on this line: it spans several lines or is cut off", "done"}},
		"an array":                  {"[" + strings.TrimSpace(greeting) + "]\n" + done, []string{"1 json-array: this is a JSON array, not an event", "done"}},
		"a byte-order mark":         {"\ufeff" + greeting + done, []string{"1 bom: the output begins with a byte-order mark (EF BB BF)", "text_delta", "done"}},
		"server-sent events":        {"event: x\ndata: " + greeting + "\n: ping\ndata:" + done, []string{"1 sse-data-prefix: this is part of a server-sent event", "text_delta", "done"}},
		"data lines alone":          {"data: " + greeting + "\ndata:" + done + "data: [DONE]\n", []string{"1 sse-data-prefix: this is a server-sent event: “data:” precedes the JSON", "text_delta", "done"}},
		"UTF-16":                    {utf16le(greeting + done), []string{"1 utf16: this is UTF-16, not UTF-8"}},
		"debugging":                 {"starting\n" + greeting + "[info] x\n" + done, []string{"1 not-json: this is not JSON", "text_delta", "done"}},
		"another text member":       {`{"type":"thinking_delta","text":"hm"}` + "\n" + done, []string{"thinking_delta", "1 wrong-member: `thinking_delta` has no member \"text\"; its text belongs in `thinking`", "done"}},
		"a value of the wrong kind": {`{"type":"text_delta","text":5}` + "\n" + done, []string{"1 malformed-event: text_delta: text must be a string, not a number", "done"}},
		"CR LF":                     {strings.ReplaceAll(greeting+done, "\n", "\r\n"), []string{"text_delta", "done"}},
		"Python's repr":             {`{'type': 'done'}` + "\n", []string{"1 bad-json: invalid JSON: strings need double quotes"}},
		"members of one's own":      {`{"type":"text_delta","text":"x","seq":1}` + "\n" + done, []string{"text_delta", "done"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := hintsOf(t, c.in)
			for i, w := range c.want {
				require.Less(t, i, len(got), "%q", got)
				require.Equal(t, w, got[i])
			}
			require.Len(t, got, len(c.want), "%q", got)
		})
	}
}

func TestHintsAreBounded(t *testing.T) {
	var in strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&in, "{\"type\":\"own_%d\"}\n", i)
	}
	hints := 0
	for _, s := range hintsOf(t, in.String()) {
		if strings.Contains(s, "unknown-event") {
			hints++
		}
	}
	require.Equal(t, 32, hints)
}
