package wire_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/native/wire"
)

// refusals decodes lines and returns their requests, each with its ids and, if it
// is refused, the reason.
func refusals(t *testing.T, lines string) (out []string) {
	t.Helper()
	err := dialect.Read(strings.NewReader(lines), wire.Dialect.NewDecoder(), slog.New(slog.DiscardHandler), func(e agent.Event) bool {
		switch e := e.(type) {
		case *agent.ConfirmationRequested:
			out = append(out, fmt.Sprintf("%s/%s/%s args=%.20s %s", e.ConfirmationID, e.ToolCallID, e.TurnID, e.Args, e.Refusal))
		case *agent.QuestionAsked:
			out = append(out, fmt.Sprintf("%s/%s %s", e.QuestionID, e.TurnID, e.Refusal))
		default:
			out = append(out, e.Type())
		}
		return true
	})
	require.NoError(t, err)
	return out
}

const confirmation = `{"type":"tool_confirmation_request","toolCallId":"x","turnId":"t"`

func TestRequestsWithDeeplyNestedArgumentsAreDecoded(t *testing.T) {
	for _, deep := range []string{
		strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000),
		strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000),
	} {
		got := refusals(t, confirmation+`,"args":`+deep+"}\n"+`{"type":"done"}`)
		require.Equal(t, []string{fmt.Sprintf("/x/t args=%.20s ", deep), "done"}, got)
	}
}

func TestUnreadableRequestsAreRefusedByTheirIDs(t *testing.T) {
	tooLong := confirmation + `,"confirmationId":"c","args":"` + strings.Repeat("x", dialect.MaxLine) + `"}`
	for name, c := range map[string]struct{ line, want string }{
		"a title that is a number":   {confirmation + `,"title":5}`, "/x/t args= invalid request: title must be a string, not a number"},
		"arguments that are no JSON": {confirmation + `,"args":{x}}`, "/x/t args= invalid request: "},
		"half a line":                {confirmation + `,"args":{"command":"l`, "/x/t args= invalid request: "},
		"too long":                   {tooLong, "c/x/t args= invalid request: the line is longer than"},
		"too deep, and wrong":        {confirmation + `,"title":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, "/x/t args= invalid request: "},
		"no id":                      {`{"type":"tool_confirmation_request","toolCallId":5}`, "// args= invalid request: toolCallId must be a string, not a number"},
		"a question":                 {`{"type":"question","questionId":"q","options":"red"}`, "q/ invalid request: options must be an array, not a string"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, end := range []string{"\n" + `{"type":"done"}`, ""} {
				got := refusals(t, c.line+end)
				require.True(t, strings.HasPrefix(got[0], c.want), "%.200s", got[0])
				if end == "" {
					require.Len(t, got, 1)
				} else {
					require.Equal(t, []string{"done"}, got[1:])
				}
			}
		})
	}
}

func TestOtherUnreadableEventsAreNotRefused(t *testing.T) {
	for _, line := range []string{
		`{"type":"tool_start","toolCallId":"x","args":{x}}`,
		`{"args":{x},"type":"tool_confirmation_request","toolCallId":"x"}`,
		`tool_confirmation_request`, `{"type":`, "",
	} {
		require.Empty(t, refusals(t, line), "%s", line)
	}
}
