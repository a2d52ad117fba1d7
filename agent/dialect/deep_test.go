package dialect_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/dialect"
	"github.com/turnwire/turnwire/agent/native"
)

func TestAConfirmationIsAskedHoweverDeepItsArgumentsNest(t *testing.T) {
	line := `{"type":"tool_confirmation_request","toolCallId":"c","args":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`
	var asked []*agent.ConfirmationRequested
	dialect.Decode(native.Dialect.NewDecoder(), discard(), []byte(line), func(e agent.Event) bool {
		asked = append(asked, e.(*agent.ConfirmationRequested))
		return true
	})
	require.Len(t, asked, 1)
	require.Equal(t, "c", asked[0].ToolCallID)
	require.Contains(t, string(asked[0].Args), `"[[[[`)
}

type overlong struct {
	plainDecoder
	skipped *[]string
}

func (o overlong) Skipped(head []byte) { *o.skipped = append(*o.skipped, string(head)) }

func TestWhoWantsToKnowIsToldHowALineBeginsThatIsSkipped(t *testing.T) {
	var skipped []string
	long := "ask me" + strings.Repeat("x", dialect.MaxLine)
	got, err := pumped(t, strings.NewReader("a\n"+long+"\nb\n"), overlong{skipped: &skipped}, discard())
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, got)
	require.Len(t, skipped, 1)
	require.Equal(t, long[:8<<10], skipped[0])
}
