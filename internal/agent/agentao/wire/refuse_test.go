package wire_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/agentao/wire"
)

// The host waits for an answer to each request, even to an unreadable one.
func TestUnreadableHostRequestsAreRefused(t *testing.T) {
	for line, want := range map[string]string{
		`{"type": "host.confirm", "id": "c1", "tool": "odd", "args": {x}}`:                                            "c1 c1 odd invalid request",
		`{"type": "host.confirm", "id": "c1", "args": "` + strings.Repeat("x", dialect.MaxLine) + `"}`:                "c1 c1  invalid request",
		`{"type": "host.ask", "id": "a2", "question": "Which?", "options": [red]}`:                                    "a2 invalid request",
		`{"type": "host.max_iterations", "id": "m3", "count": x}`:                                                     "m3 invalid request",
		`{"type": "host.ask", "question": "Which?", "options": [red]}`:                                                "",
		`{"type": "host.ask", "id": "a2", "question": ` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`: "a2 ",
	} {
		var refusals []string
		lines := `{"type": "host.ready"}` + "\n" + line + "\n"
		err := dialect.Read(strings.NewReader(lines), wire.Dialect.NewDecoder(), slog.New(slog.DiscardHandler), func(e agent.Event) bool {
			switch e := e.(type) {
			case *agent.ConfirmationRequested:
				refusals = append(refusals, fmt.Sprintf("%s %s %s %s", e.ConfirmationID, e.ToolCallID, e.ToolName, e.Refusal))
			case *agent.QuestionAsked:
				refusals = append(refusals, fmt.Sprintf("%s %s", e.QuestionID, e.Refusal))
			}
			return true
		})
		require.NoError(t, err)
		if want == "" {
			require.Empty(t, refusals)
			continue
		}
		require.Len(t, refusals, 1, "%.100s", line)
		require.True(t, strings.HasPrefix(refusals[0], want), refusals[0])
	}
}
