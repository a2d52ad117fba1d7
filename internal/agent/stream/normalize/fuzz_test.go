package normalize_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnwire/turnwire/agent"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// play runs a script of native lines and the words begin, cancel, fail and
// flush. The package's contract must hold for any script.
func play(t *testing.T, script string) {
	t.Helper()
	w := watch(t)
	d := native.Dialect.NewDecoder()
	for line := range strings.SplitSeq(script, "\n") {
		switch line {
		case "":
		case "begin":
			if !w.normalizer.Running() {
				w.begin()
			}
		case "cancel":
			w.cancel()
		case "fail":
			w.fail(&agent.Error{Error: "the agent is gone"})
		case "flush":
			w.flush()
		default:
			_ = d.Decode(rawjson.Valid([]byte(line)), w.event)
		}
	}
	w.cancel()
}

func FuzzNormalizer(f *testing.F) {
	f.Add("begin\n" + `{"type":"text_delta","text":"a\ud83d"}` + "\n" + `{"type":"thinking_delta","thinking":"\ude42"}` + "\n" +
		`{"type":"text_delta","text":"\ude42b","messageId":"m"}` + "\n" + `{"type":"done","text":"a🙂b"}` + "\nbegin\ncancel")
	f.Add("begin\n" + `{"type":"tool_start","toolCallId":"a","toolName":"n","audience":"internal"}` + "\n" +
		`{"type":"tool_confirmation_request","toolCallId":"a"}` + "\n" + `{"type":"tool_end","toolCallId":"a","ok":false}` + "\nfail")
	f.Add("begin\n" + `{"type":"tool_args_delta","toolCallId":"a","delta":"{\n\"x\":\"\\ud83d\"}"}` + "\n" +
		`{"type":"tool_start","toolCallId":"a"}` + "\n" + `{"type":"tool_output","toolCallId":"a","text":"x\ud83d"}` + "\nflush")
	f.Add(`{"type":"usage","estimatedCostUsd":1e308}` + "\n" + `{"type":"usage","estimatedCostUsd":1e308}`)
	f.Add("begin\n" + `{"type":"subagent_start","id":"","task":"x","parentToolCallId":"a"}` + "\n" + `{"type":"stream_reset"}` + "\n" +
		`{"type":"error","error":"e","fatal":false}` + "\n" + `{"type":"question","questionId":"q"}` + "\n" + `{"type":"error","error":"e"}`)
	f.Add(`{"type":"mode_changed","modeId":"a","available":[{"id":"b"}]}` + "\n" + `{"type":"config_options","options":[{"id":"mode","value":"x"},` +
		`{"id":"m","category":"mode","value":"y","groups":[{"id":"","choices":[{"id":"z"}]}]},{"id":"b","kind":"boolean","value":true}]}`)
	f.Fuzz(play)
}

func TestAnySequenceIsMadeLawful(t *testing.T) {
	types := []string{"text_delta", "thinking_delta", "tool_start", "tool_end", "tool_output", "tool_args_delta"}
	for _, v := range agent.Variants() {
		types = append(types, v.New().Type())
	}
	members := map[string][]string{
		"toolCallId":       {`"a"`, `"b"`, `"a#2"`, `""`, `"call"`},
		"id":               {`"a"`, `"s"`, `""`},
		"toolName":         {`"read_file"`, `"x"`, `""`, `"_compaction"`},
		"name":             {`"x"`, `""`},
		"parentToolCallId": {`"a"`, `"b"`, `"nobody"`},
		"audience":         {`"user"`, `"internal"`, `"dashboard"`, `""`},
		"text":             {`"hello"`, `" wide\n"`, `"a\ud83d"`, `"\ude42b"`, `"\ud83d"`, `""`, `"hello a🙂b"`},
		"thinking":         {`"hm"`, `"\ud83d"`, `"\ude42"`, `""`},
		"delta":            {`"{"`, `"}"`, `"{\n\"a\":\"\\ud83d\"}"`, `"\ud83d"`, `""`},
		"args":             {`{"path":"x.go"}`, `null`, `"text"`, `{"command":"ls\nrm"}`, `{ }`},
		"ok":               {`true`, `false`},
		"result":           {`"fine"`, `""`, `"\ud83d"`},
		"error":            {`"no"`},
		"structured":       {`{"x":1}`, `null`},
		"fatal":            {`false`, `false`, `true`},
		"messageId":        {`"m"`, `"n"`},
		"turnId":           {`"t1"`, `"t2"`, `"t1"`, `"t2"`, `"t0"`},
		"stopReason":       {`"cancelled"`, `"end_turn"`},
		"message":          {`"50 %"`, `""`},
		"estimatedCostUsd": {`0.5`, `1e308`, `-1`},
		"inputTokens":      {`5`, `9223372036854775807`, `-5`},
		"cancelled":        {`true`},
		"title":            {`"One\nTwo"`, `" "`},
		"task":             {`"think"`},
		"modeId":           {`"a"`, `"b"`, `""`},
		"modelId":          {`"a"`, `"c"`},
		"available":        {`[{"id":"a"},{"id":"a"},{"id":"b","name":"B"}]`, `[]`, `[{}]`},
		"optionId":         {`"mode"`, `""`},
		"options": {
			`[{"id":"mode","value":"a"},{"id":"mode","value":true},{"id":"x","kind":"boolean","value":true}]`,
			`[{"id":"m","category":"mode","value":"q","choices":[{"id":"a"}],"groups":[{"id":"","choices":[{"id":"a"},{"id":"b"}]},{"id":""}]}]`,
			`[{"id":"model","category":"x","value":"a"},{"id":""},{}]`, `[]`,
		},
	}
	names := []string{
		"toolCallId", "id", "toolName", "name", "parentToolCallId", "audience", "text", "thinking", "delta", "args", "ok", "result",
		"error", "structured", "fatal", "messageId", "turnId", "stopReason", "message", "estimatedCostUsd", "inputTokens", "cancelled",
		"title", "task", "modeId", "modelId", "available", "optionId", "options",
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		var script strings.Builder
		script.WriteString("begin\n")
		for range 40 {
			switch rnd.IntN(30) {
			case 0:
				script.WriteString("cancel\n")
			case 1:
				script.WriteString("flush\n")
			case 2, 3:
				script.WriteString("begin\n")
			default:
				script.WriteString(`{"type":"` + types[rnd.IntN(len(types))] + `"`)
				for _, name := range names {
					if rnd.IntN(3) > 0 && name != "turnId" && name != "title" || rnd.IntN(20) == 0 {
						values := members[name]
						script.WriteString(`,"` + name + `":` + values[rnd.IntN(len(values))])
					}
				}
				script.WriteString("}\n")
			}
		}
		play(t, script.String())
	}
}
