package bridge_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/rawjson"
)

func TestLongMessagesAreCutForEditors(t *testing.T) {
	// LONG stands for a long text.
	for name, event := range map[string]string{
		"a notice":                  `{"type":"notice","message":"LONG"}`,
		"a notice's description":    `{"type":"notice","message":"m","description":"LONG"}`,
		"a halt":                    `{"type":"halt","message":"LONG"}`,
		"an error that is not last": `{"type":"error","error":"LONG","fatal":false}`,
		"an error":                  `{"type":"error","error":"LONG"}`,
		"progress":                  `{"type":"tool_progress","toolCallId":"c","toolName":"t","message":"LONG","audience":"user"}`,
		"a result's error":          `{"type":"tool_end","toolCallId":"c","ok":false,"error":"LONG"}`,
		"a plan":                    `{"type":"plan","entries":[{"content":"LONG"}]}`,
		"a title":                   `{"type":"session_title","title":"LONG"}`,
		"a command":                 `{"type":"available_commands","commands":[{"name":"x","description":"LONG"}]}`,
		"a reason":                  `{"type":"tool_confirmation_request","toolCallId":"c","toolName":"t","reason":"LONG"}`,
		"a question":                `{"type":"question","questionId":"q","question":"LONG","options":["a","b"]}`,
		"an open question":          `{"type":"question","questionId":"q","question":"LONG"}`,
		"a summary":                 `{"type":"context_compacted","summary":"LONG"}`,
	} {
		for _, capabilities := range []string{`{}`, `{"session":{"notices":{},"compaction":{}},"elicitation":{"form":{}}}`} {
			t.Run(name+" for "+capabilities, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := newPuppet()
					e, s := open(t, p, capabilities)
					e.write(promptS1(`"p"`, "go"))
					s.expect(`{"type":"prompt"}`)
					s.say(`{"type":"tool_start","toolCallId":"c","toolName":"t"}`,
						strings.ReplaceAll(event, "LONG", strings.Repeat("long ", 1<<16)), done)
					for _, line := range e.until(`"p"`) {
						require.Less(t, len(line), 128<<10, "%.200s", line)
					}
				})
			})
		}
	}
}

func TestTooDeeplyNestedValuesBecomeText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const levels = 5000
		deep := strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
		for _, line := range []string{
			`{"type":"telemetry","name":"x","data":` + deep + `}`,
			`{"type":"something_new","data":` + deep + `}`,
			`{"type":"run_start","more":` + deep + `}`,
			`{"type":"tool_start","toolCallId":"a","toolName":"x","args":` + deep + `}`,
			`{"type":"tool_end","toolCallId":"b","ok":true,"structured":` + deep + `}`,
			`{"type":"tool_start","toolCallId":"c","toolName":"x","_meta":` + deep + `}`,
		} {
			p := newPuppet()
			e, s := open(t, p, `{"_meta":{"turnwire.dev/events":true}}`)
			e.write(promptS1("1", "go"))
			s.expect(`{"type":"prompt"}`)
			s.say(line, done)
			for _, got := range e.until("1") {
				require.Less(t, rawjson.Depth([]byte(got)), 128, "%.80s", line)
			}
		}
	})
}
