package bridge_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/bridge"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

// However often an agent repeats short lines after a long one, the editor receives only
// a few times as many bytes as the agent wrote.
func TestShortEventsDoNotRepeatLongOnes(t *testing.T) {
	long := strings.Repeat("x", 25_000)
	var choices []string
	for i := range 200 {
		choices = append(choices, fmt.Sprintf(`{"id":"m%d","name":%q}`, i, strings.Repeat("n", 200)))
	}
	options := `{"type":"config_options","options":[{"id":"mode","category":"mode","kind":"select","value":"m1","choices":[` + strings.Join(choices, ",") + `]}]}`
	edit := `{"type":"tool_start","toolCallId":"a","toolName":"edit_file","args":{"path":"x","old_text":"` + long + `","new_text":"y"}}`
	output := `{"type":"tool_output","toolCallId":"a","text":"` + strings.Repeat("x", 64<<10) + `"}`
	for name, c := range map[string]struct {
		before []string
		line   string
	}{
		"the same options":         {[]string{options}, `{"type":"config_options","options":[]}` + "\n" + options},
		"the same mode":            {[]string{options}, `{"type":"mode_changed","modeId":"m1"}`},
		"a call that is ready":     {[]string{edit}, `{"type":"tool_ready","toolCallId":"a","toolName":"edit_file"}`},
		"a call that is announced": {[]string{edit}, `{"type":"tool_pending","toolCallId":"a","toolName":"edit_file"}`},
		"another title":            {[]string{edit}, `{"type":"tool_ready","toolCallId":"a","toolName":"edit_file","title":"1"}` + "\n" + `{"type":"tool_ready","toolCallId":"a","toolName":"edit_file","title":"2"}`},
		"progress of an output":    {[]string{edit, output}, `{"type":"tool_progress","toolCallId":"a","message":"m","audience":"user"}`},
		"progress of a diff":       {[]string{edit}, `{"type":"tool_progress","toolCallId":"a","message":"m","percent":5,"audience":"user"}`},
		"output of a diff":         {[]string{edit}, `{"type":"tool_output","toolCallId":"a","text":"."}`},
		"output that is replaced":  {[]string{edit}, `{"type":"tool_output","toolCallId":"a","text":".","replace":true}`},
		"a confirmation":           {[]string{edit}, `{"type":"tool_confirmation_request","toolCallId":"a"}` + "\n" + `{"type":"tool_confirmation_resolved","toolCallId":"a","decision":"allow_once"}`},
		"an end":                   {[]string{edit, output}, `{"type":"tool_end","toolCallId":"a","ok":true,"result":"r"}`},
	} {
		t.Run(name, func(t *testing.T) {
			// Repeat it until the short lines are as long as the long one.
			again := strings.Repeat(c.line+"\n", 1+50_000/len(c.line))
			in := strings.Join(c.before, "\n") + "\n" + again
			var out bytes.Buffer
			transcript := bridge.NewTranscript(&out, "/project")
			err := dialect.Read(strings.NewReader(in), native.Dialect.NewDecoder(), slog.New(slog.DiscardHandler), transcript.Add)
			require.NoError(t, err)
			require.NoError(t, transcript.End())
			require.Less(t, out.Len(), 25*len(in))
		})
	}
}
