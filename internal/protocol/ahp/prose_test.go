package ahp_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

func TestProseIsAStringOrMarkdown(t *testing.T) {
	for text, want := range map[string]ahp.Prose{
		`"a *b*"`:              ahp.Plain("a *b*"),
		`{"markdown":"a *b*"}`: {Text: "a *b*", Markdown: true},
		`""`:                   {},
	} {
		var got ahp.Prose
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		require.Equal(t, want, got)
		encoded, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, text, string(encoded))
	}
	for _, text := range []string{"7", "[]", `{"markdown":7}`} {
		var got ahp.Prose
		require.Error(t, json.Unmarshal([]byte(text), &got), text)
	}
}
