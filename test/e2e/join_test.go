//go:build unix

package e2e

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// wordByWord is an agent that prints a hundred pieces of text at once.
const wordByWord = `read -r prompt
pieces=$(for i in 0 1 2 3 4 5 6 7 8 9; do for j in 0 1 2 3 4 5 6 7 8 9; do echo "{\"type\":\"text_delta\",\"text\":\"$i$j \"}"; done; done)
printf '%s\n{"type":"done"}\n' "$pieces"
read -r end`

func TestTextThatArrivesTogetherIsJoinedUnlessDisabled(t *testing.T) {
	t.Parallel()
	for join, updates := range map[string]struct{ least, most int }{
		"--join=true":  {1, 10},
		"--join=false": {100, 100},
	} {
		t.Run(join, func(t *testing.T) {
			e := launch(t, options{args: []string{"acp", join, "--", "sh", "-c", wordByWord}})
			s := e.open(t.TempDir())
			require.Equal(t, "end_turn", e.stops(e.prompt(s, "go")))
			text := e.text()
			require.Len(t, strings.Fields(text), 100)
			require.True(t, strings.HasPrefix(text, "00 01 02 ") && strings.HasSuffix(text, "98 99 "), text)
			n := e.count("agent_message_chunk")
			require.GreaterOrEqual(t, n, updates.least)
			require.LessOrEqual(t, n, updates.most)
		})
	}
}
