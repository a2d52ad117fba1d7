package wire_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/native/wire"
)

func TestErrorEventsMayUseMessageInsteadOfError(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"error","message":"no key"}`:                "no key",
		`{"type":"error","error":"no","message":"no key"}`:   "no",
		`{"type":"error","error":"","message":"no \ud83dk"}`: "no \ufffdk",
		`{"type":"error","message":{"a":1}}`:                 "",
		`{"type":"error"}`:                                   "",
	} {
		e, err := decode(t, line)
		require.NoError(t, err, line)
		require.Equal(t, want, e.(*agent.Error).Error, line)
	}
}

func TestEveryVariantSurvivesARoundTrip(t *testing.T) {
	for _, v := range agent.Variants() {
		t.Run(v.New().Type(), func(t *testing.T) {
			want := fill(v.New())
			require.Equal(t, want, mustDecode(t, string(requireStrict(t, want))), "with every field set")

			// Without extra members, the frequent types take the fast path.
			plain := fill(v.New())
			plain.Common().Extra = nil
			require.Equal(t, plain, mustDecode(t, string(requireStrict(t, plain))), "without unknown fields")

			zero := v.New()
			again := mustDecode(t, string(requireStrict(t, zero)))
			require.Equal(t, string(requireStrict(t, zero)), string(requireStrict(t, again)), "with no field set")
		})
	}
}

func TestEveryFieldIsOptional(t *testing.T) {
	for _, v := range agent.Variants() {
		name := v.New().Type()
		require.Equal(t, v.New(), mustDecode(t, `{"type":"`+name+`"}`), name)
	}
}

func TestNullIsTheSameAsAbsent(t *testing.T) {
	for _, v := range agent.Variants() {
		name := v.New().Type()
		var members map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(agent.AppendJSON(nil, fill(v.New())), &members))
		for member := range members {
			if member == "type" || member == "unknownField" || member == "x" || isRaw(v.New(), member) {
				continue
			}
			require.Equal(t, v.New(), mustDecode(t, `{"type":"`+name+`","`+member+`":null}`), "%s.%s", name, member)
		}
	}
}

// isRaw reports whether a member may be any JSON value, including null.
func isRaw(e agent.Event, member string) bool {
	t := reflect.TypeOf(e).Elem()
	for f := range t.Fields() {
		if f.Type == reflect.TypeFor[agent.Raw]() && (f.Tag.Get("json") == member || f.Tag.Get("json") == member+",omitempty") {
			return true
		}
	}
	return false
}

func TestOrderNumbersAndUnknownFieldsSurvive(t *testing.T) {
	for in, want := range map[string]string{
		`{"z":1,"type":"text_delta","a":{"y":1,"x":2},"text":"hi","big":18446744073709551616}`:         `{"type":"text_delta","text":"hi","z":1,"a":{"y":1,"x":2},"big":18446744073709551616}`,
		`{"type":"tool_start","toolCallId":"c","toolName":"n","args":{"z":9007199254740993,"a":1.0}}`:  `{"type":"tool_start","toolCallId":"c","toolName":"n","args":{"z":9007199254740993,"a":1.0}}`,
		`{"type":"state_snapshot","snapshot":{"b":[1e400,-0],"a":null}}`:                               `{"type":"state_snapshot","snapshot":{"b":[1e400,-0],"a":null}}`,
		`{"type":"done","text":"a","TEXT":"b","x":1}`:                                                  `{"type":"done","text":"a","TEXT":"b","x":1}`,
		`{"type":"tool_end","toolCallId":"c","ok":false,"OK":true}`:                                    `{"type":"tool_end","toolCallId":"c","ok":false,"OK":true}`,
		`{"type":"tool_end","ToolCallId":"d","toolCallId":"c","Ok":true}`:                              `{"type":"tool_end","toolCallId":"c","ok":false,"ToolCallId":"d","Ok":true}`,
		`{"type":"text_delta","text":"a","Text":"b"}`:                                                  `{"type":"text_delta","text":"a","Text":"b"}`,
		`{"type":"plan","Type":"done","entries":[{"content":"a","Content":"b"}]}`:                      `{"type":"plan","entries":[{"content":"a"}],"Type":"done"}`,
		`{"type":"confirmation_resolved","toolCallId":"c","decision":"reject","Decision":"allow"}`:     `{"type":"confirmation_resolved","toolCallId":"c","decision":"reject","Decision":"allow"}`,
		`{"type":"done","text":"a","\u0074urnId":"t","w\u00e4":1}`:                                     `{"type":"done","text":"a","turnId":"t","w\u00e4":1}`,
		`{"type":"done","x":1,"text":"a","x":2}`:                                                       `{"type":"done","text":"a","x":1,"x":2}`,
		` {"type":"done","x":1} `:                                                                      `{"type":"done","text":"","x":1}`,
		` { "type" : "plan" , "entries" : [ ] , "more" : [ 1 , 2 ] } `:                                 `{"type":"plan","entries":[],"more":[ 1 , 2 ]}`,
		`{"type":"usage","inputTokens":9223372036854775807,"outputTokens":1,"estimatedCostUsd":1e-9}`:  `{"type":"usage","inputTokens":9223372036854775807,"outputTokens":1,"estimatedCostUsd":1e-9}`,
		`{"type":"tool_end","toolCallId":"c","ok":true,"ok":false,"result":"a","result":"b","more":0}`: `{"type":"tool_end","toolCallId":"c","ok":false,"result":"b","more":0}`,
	} {
		require.Equal(t, want, string(requireStrict(t, mustDecode(t, in))), in)
	}
}

func TestUnknownTypesAreKeptAsTheyCame(t *testing.T) {
	for in, name := range map[string]string{
		`{"type":"brand_new","b":18446744073709551616,"a":{"x" : [1, 2]}}`: "brand_new",
		`{"a":1,"type":"Text_Delta"}`:                                      "Text_Delta",
		`{"type":""}`:                                                      "",
		`{"type":"caf\u00e9"}`:                                             "café",
	} {
		e, ok := mustDecode(t, "  "+in+"\t").(*agent.Unknown)
		require.True(t, ok, in)
		require.Equal(t, name, e.Type())
		require.Equal(t, in, string(e.Raw))
		require.Equal(t, in, string(requireStrict(t, e)))
	}
}

func TestAnUnknownEventKnowsItsTurn(t *testing.T) {
	require.Equal(t, "t7", mustDecode(t, `{"type":"brand_new","turnId":"t7"}`).Common().TurnID)
	require.Empty(t, mustDecode(t, `{"type":"brand_new","turnId":7}`).Common().TurnID)
}

func TestLinesThatAreNotEvents(t *testing.T) {
	for _, line := range []string{
		``, ` `, `hello`, `{`, `{}`, `[]`, `null`, `1`, `"text_delta"`, `[{"type":"done"}]`, `{"type":null}`, `{"type":1}`,
		`{"type":["done"]}`, `{"kind":"done"}`, `{"type":"done"`, `{"type":"done"}}`, `{"type":"done"} {"type":"done"}`,
		`{"type":"done",}`, `{"type":"text_delta","text":"a\qb"}`, "{\"type\":\"text_delta\",\"text\":\"a\tb\"}",
		"\ufeff" + `{"type":"done"}`, `data: {"type":"done"}`,
	} {
		_, err := decode(t, line)
		require.ErrorIs(t, err, dialect.ErrNotObject, line)
	}
}

func TestMalformedEventsCarryTheirBytes(t *testing.T) {
	for line, name := range map[string]string{
		`{"type":"text_delta","text":5}`:                          "text_delta",
		`{"type":"text_delta","text":{"a":1}}`:                    "text_delta",
		`{"type":"thinking_delta","thinking":["a"]}`:              "thinking_delta",
		`{"type":"tool_start","toolCallId":7,"toolName":"x"}`:     "tool_start",
		`{"type":"tool_end","toolCallId":"a","ok":"yes"}`:         "tool_end",
		`{"type":"tool_end","toolCallId":"a","durationMs":"1"}`:   "tool_end",
		`{"type":"tool_end","toolCallId":"a","durationMs":1e999}`: "tool_end",
		`{"type":"tool_progress","percent":"50"}`:                 "tool_progress",
		`{"type":"tool_output","text":false}`:                     "tool_output",
		`{"type":"usage","inputTokens":1.5}`:                      "usage",
		`{"type":"usage","inputTokens":18446744073709551616}`:     "usage",
		`{"type":"plan","entries":{}}`:                            "plan",
		`{"type":"error","fatal":"no"}`:                           "error",
		`{"type":"done","turnId":1}`:                              "done",
	} {
		_, err := decode(t, line)
		var malformed *dialect.MalformedError
		require.ErrorAs(t, err, &malformed, line)
		require.Equal(t, name, malformed.Type)
		require.Equal(t, line, string(malformed.Raw))
		require.Error(t, malformed.Unwrap())
		require.ErrorContains(t, err, "malformed "+name+" event")
		require.NotErrorIs(t, err, dialect.ErrNotObject)
	}
}

func TestRecogniseKnowsTheTypesOfTheUnion(t *testing.T) {
	for _, v := range agent.Variants() {
		require.True(t, wire.Dialect.Recognise([]byte(`{"x":1,"type":"`+v.New().Type()+`"}`)))
	}
	for _, line := range []string{`{"type":"other"}`, `{"type":1}`, `{}`, `not json`, ``, `{"event_type":"done"}`} {
		require.False(t, wire.Dialect.Recognise([]byte(line)), line)
	}
}

func TestEventsOfOneDecoderDoNotMix(t *testing.T) {
	d := wire.Dialect.NewDecoder()
	for _, pair := range [][2]string{
		{`{"type":"text_delta","text":"a","messageId":"m","turnId":"t"}`, `{"type":"text_delta"}`},
		{`{"type":"thinking_delta","thinking":"a","messageId":"m","turnId":"t"}`, `{"type":"thinking_delta"}`},
		{`{"type":"tool_output","toolCallId":"c","text":"a","stream":"stderr","turnId":"t"}`, `{"type":"tool_output"}`},
		{`{"type":"tool_start","toolCallId":"c","toolName":"n","args":{},"audience":"user"}`, `{"type":"tool_start"}`},
		{`{"type":"tool_progress","toolCallId":"c","message":"m","percent":5,"audience":"user"}`, `{"type":"tool_progress"}`},
		{`{"type":"tool_end","toolCallId":"c","ok":true,"durationMs":5,"result":"r","error":"e"}`, `{"type":"tool_end"}`},
	} {
		first, err := decodeWith(t, d, pair[0])
		require.NoError(t, err)
		require.NotNil(t, first)
		second, err := decodeWith(t, d, pair[1])
		require.NoError(t, err)
		require.Equal(t, mustDecode(t, pair[1]), second, "nothing is left of the line before")
	}
}

func TestManyDifferentIDsStayApart(t *testing.T) {
	d := wire.Dialect.NewDecoder()
	for i := range 2000 {
		line := agent.AppendJSON(nil, &agent.ToolStart{ToolCallID: string(rune(0x4e00 + i)), ToolName: string(rune(0x4e00 + i/2))})
		e, err := decodeWith(t, d, string(line))
		require.NoError(t, err)
		require.Equal(t, string(line), string(agent.AppendJSON(nil, e)))
	}
}

func TestTypeMustBeSpelledExactly(t *testing.T) {
	for _, line := range []string{`{"Type":"done","text":"a"}`, `{"TYPE":"done"}`, `{"t\u0059pe":"done"}`} {
		_, err := decode(t, line)
		require.ErrorIs(t, err, dialect.ErrNotObject, line)
	}
}
