package wire_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// frequentLines are lines that come by the thousand.
var frequentLines = []string{
	`{"type":"text_delta","text":"plain"}`,
	`{"type":"text_delta","text":"a\n\"\\\u00e4\ud83d\ude42","messageId":"m1","turnId":"t1"}`,
	` { "type" : "text_delta" , "text" : "spaced" } `,
	`{"type":"text_delta"}`,
	`{"type":"text_delta","text":"twice","text":"the last counts"}`,
	`{"type":"text_delta","text":"half \ud83d"}`,
	`{"type":"text_delta","text":"\ude42 half"}`,
	`{"type":"thinking_delta","thinking":"hm","messageId":"m"}`,
	`{"type":"thinking_delta","thinking":"hm\ud83d"}`,
	`{"type":"tool_output","toolCallId":"c","text":"out\r\n","stream":"stderr","turnId":"t"}`,
	`{"type":"tool_output","toolCallId":"c","text":"out\ud83d"}`,
	`{"type":"tool_start","toolCallId":"c","toolName":"n","args":{"b":[1,2],"a":12345678901234567890},"audience":"internal"}`,
	`{"type":"tool_start","toolCallId":"c","toolName":"n","args":null}`,
	`{"type":"tool_start","toolCallId":"c","toolName":"n","args":"text \ud83d"}`,
	`{"type":"tool_progress","toolCallId":"c","toolName":"n","message":"m\ud83d\n","percent":1.5e1,"audience":"user"}`,
	`{"type":"tool_progress","message":"m","percent":-0}`,
	`{"type":"tool_end","toolCallId":"c","toolName":"n","ok":true,"durationMs":12,"audience":"user","result":"r\ud83d","error":"e\u00e4\ud83d"}`,
	`{"type":"tool_end","toolCallId":"c","ok":false,"turnId":"t"}`,
}

// unusualLines are similar to frequentLines.
var unusualLines = []string{
	`{"text":"type is not first","type":"text_delta"}`,
	`{"type":"text_delta","text":"a","seq":1}`,
	`{"type":"text_delta","text":"half \ud83d","seq":1}`,
	`{"type":"thinking_delta","thinking":"\ude42","seq":"\ud83d"}`,
	`{"type":"tool_output","text":"half \ud83d","seq":1,"toolCallId":"\ud83d"}`,
	`{"type":"text_delta","Text":"any case"}`,
	`{"type":"text_delta","te\u0078t":"escaped key"}`,
	`{"type":"text_delta","text":null}`,
	`{"type":"text_delta","text":"a","messageId":"\u00e4"}`,
	`{"type":"text_delta","type":"done"}`,
	`{"type":"text\u005fdelta","text":"a"}`,
	`{"type":"tool_start","toolCallId":"c","toolName":"n","title":"given"}`,
	`{"type":"tool_end","toolCallId":"c","ok":null}`,
	`{"type":"tool_end","toolCallId":"c","ok":true,"exitCode":1,"content":[{"type":"text","text":"\ud83d"}],"structured":"\ud83d"}`,
	`{"type":"done","text":"x\ud83dy","other":"\ude42"}`,
	`{"type":"unknown \ud83d","text":"\ud83d"}`,
}

// requireSame requires that the decoder's result for a line equals that of
// encoding/json, even right after similar lines.
func requireSame(t *testing.T, d dialect.Decoder, line []byte) (decoded bool) {
	t.Helper()
	want, wrong := plainly(line)
	for range 3 {
		var got agent.Event
		err := d.Decode(line, func(e agent.Event) bool {
			got = e
			return true
		})
		if wrong != nil {
			require.Error(t, err, "%s", line)
			_, malformed := errors.AsType[*dialect.MalformedError](wrong)
			_, same := errors.AsType[*dialect.MalformedError](err)
			require.Equal(t, malformed, same, "%s: %v", line, err)
			continue
		}
		require.NoError(t, err, "%s", line)
		require.Equal(t, string(agent.AppendJSON(nil, want)), string(agent.AppendJSON(nil, got)), "%s", line)
		require.Equal(t, want.Common().TurnID, got.Common().TurnID)
	}
	return wrong == nil
}

func TestLinesDecodeLikeEncodingJSON(t *testing.T) {
	d := wire.Dialect.NewDecoder()
	for _, line := range slices.Concat(frequentLines, unusualLines) {
		require.True(t, requireSame(t, d, []byte(line)), line)
	}
}

func TestManyLinesDecodeLikeEncodingJSON(t *testing.T) {
	values := []string{
		`"a"`, `""`, `"\n\\\u00e4"`, `"\ud83d\ude42"`, `"\ud83d"`, `"ä€🙂"`, `null`, `true`, `false`, `0`, `-1.5e3`, `1e999`,
		`{}`, `{"x":[1,{"y":"\ude42"}]}`, `[]`, `"user"`, `"internal"`, `[1,`, `tru`, `"open`,
	}
	keys := []string{
		"text", "thinking", "messageId", "turnId", "toolCallId", "toolName", "args", "audience", "message", "percent", "title", "content",
		"ok", "durationMs", "result", "error", "stream", "replace", "exitCode", "other", "Text", `te\u0078t`, `\ud83d`,
	}
	var types []string
	for _, v := range agent.Variants() {
		types = append(types, v.New().Type())
	}
	types = append(types, "text_delta", "thinking_delta", "tool_output", "tool_start", "tool_progress", "tool_end", "new")
	rnd := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string) string { return from[rnd.IntN(len(from))] }
	d, decoded := wire.Dialect.NewDecoder(), 0
	for range 5000 {
		var b strings.Builder
		typeAt := rnd.IntN(4)
		for i := range 4 {
			if i == typeAt {
				b.WriteString(`,"type":"` + pick(types) + `"`)
			} else if rnd.IntN(3) > 0 {
				b.WriteString(`,"` + pick(keys) + `":` + pick(values))
			}
		}
		if requireSame(t, d, []byte("{"+b.String()[1:]+"}")) {
			decoded++
		}
	}
	require.Greater(t, decoded, 1250, "enough of the lines were events for this to mean something")
}

func TestHalvesOfCharactersAreLeftToTheNormalizer(t *testing.T) {
	for _, more := range []string{``, `,"seq":1`} {
		text, ok := mustDecode(t, `{"type":"text_delta","text":"a\ud83d"`+more+`}`).(*agent.TextDelta)
		require.True(t, ok)
		require.Equal(t, `a\ud83d`, string(rawjson.Body(text.Text)), "more: %s", more)
		thinking, ok := mustDecode(t, `{"type":"thinking_delta","thinking":"\ude42b"`+more+`}`).(*agent.ThinkingDelta)
		require.True(t, ok)
		require.Equal(t, `\ude42b`, string(rawjson.Body(thinking.Thinking)), "more: %s", more)
	}
}

func TestLoneSurrogatesBecomeReplacementCharacters(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"tool_end","toolCallId":"c","ok":true,"result":"\ud83d!"}`:                              `{"type":"tool_end","toolCallId":"c","ok":true,"result":"\ufffd!"}`,
		`{"type":"tool_start","toolCallId":"c","toolName":"n","args":{"\ude42":["\ud83d"]}}`:             `{"type":"tool_start","toolCallId":"c","toolName":"n","args":{"\ufffd":["\ufffd"]}}`,
		`{"type":"tool_start","toolCallId":"c","toolName":"n","args":{"a":"\ud83d\ude42"}}`:              `{"type":"tool_start","toolCallId":"c","toolName":"n","args":{"a":"\ud83d\ude42"}}`,
		`{"type":"tool_start","toolCallId":"c","toolName":"n","args":{"a":"\\ud83d"}}`:                   `{"type":"tool_start","toolCallId":"c","toolName":"n","args":{"a":"\\ud83d"}}`,
		`{"type":"run_start","odd \ud83d":"\ude42"}`:                                                     `{"type":"run_start","odd \ufffd":"\ufffd"}`,
		`{"type":"new","deep":{"a":["\ud83d"]}}`:                                                         `{"type":"new","deep":{"a":["\ufffd"]}}`,
		`{"type":"done","text":"\ud83d"}`:                                                                "{\"type\":\"done\",\"text\":\"\ufffd\"}",
		`{"type":"text_delta","text":"","messageId":"\ud83d","x":"\ud83d"}`:                              "{\"type\":\"text_delta\",\"text\":\"\",\"messageId\":\"\ufffd\",\"x\":\"\\ufffd\"}",
		`{"type":"telemetry","name":"n","data":"\ud83d","other":{"\ud83d":null}}`:                        `{"type":"telemetry","name":"n","data":"\ufffd","other":{"\ufffd":null}}`,
		`{"type":"tool_progress","message":"\ud83d"}`:                                                    "{\"type\":\"tool_progress\",\"message\":\"\ufffd\"}",
		`{"type":"tool_args_delta","toolCallId":"c","delta":"{\"a\":\"\ud83d"}`:                          `{"type":"tool_args_delta","toolCallId":"c","delta":"{\"a\":\"\ufffd"}`,
		`{"type":"tool_args_delta","toolCallId":"c","delta":"{\"a\":\"\ud83d\ude42\"}","more":"\ud83d"}`: `{"type":"tool_args_delta","toolCallId":"c","delta":"{\"a\":\"\ud83d\ude42\"}","more":"\ufffd"}`,
	} {
		require.Equal(t, want, string(requireStrict(t, clean(mustDecode(t, in)))), in)
	}
}

func FuzzDecode(f *testing.F) {
	for _, line := range slices.Concat(frequentLines, unusualLines) {
		f.Add([]byte(line))
	}
	for _, v := range agent.Variants() {
		f.Add(agent.AppendJSON(nil, fill(v.New())))
		f.Add(agent.AppendJSON(nil, v.New()))
	}
	f.Add([]byte("{\"type\":\"text_delta\",\"text\":\"\xff\xfe\",\"\xc3\":1}"))
	f.Fuzz(func(t *testing.T, line []byte) {
		line = rawjson.Valid(line) // as Pump does
		requireSame(t, wire.Dialect.NewDecoder(), line)
		before := string(line)
		err := wire.Dialect.NewDecoder().Decode(line, func(e agent.Event) bool {
			out := agent.AppendJSON(nil, clean(e))
			requireStrictJSON(t, out)
			again := mustDecode(t, string(out))
			require.Equal(t, string(out), string(agent.AppendJSON(nil, clean(again))), "decoding what was encoded changes nothing")
			return true
		})
		require.Equal(t, before, string(line), "the line is not written to")
		if !json.Valid(line) {
			require.Error(t, err)
		}
	})
}

// clean cleans pieces of text as the normalizer does.
func clean(e agent.Event) agent.Event {
	switch e := e.(type) {
	case *agent.TextDelta:
		e.Text = e.Text.Clean()
	case *agent.ThinkingDelta:
		e.Thinking = e.Thinking.Clean()
	case *agent.ToolOutput:
		e.Text = e.Text.Clean()
	case *agent.ToolArgsDelta:
		e.Delta = e.Delta.Clean()
	}
	return e
}
