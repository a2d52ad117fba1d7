package hub_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/hub"
)

// A session is shown completely although only its newest part is in memory: to clients
// that join later, to clients that stop reading for a while, and in a fork.
func TestALongSessionIsShownWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		s := newStageWith(t, hub.Config{Spool: folder})
		one, slow := s.join("one"), s.join("slow")
		s.open(one)
		s.load(slow)
		slow.pause()
		const calls = 800
		output := strings.Repeat("a line of output", 800) // 10 MB in total
		call := func(n int) string {
			return fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":"c%d","title":"make","status":"completed","rawOutput":%q}`, n, output)
		}
		for n := range calls {
			s.agent.say("%s", update(call(n)))
			one.expect(update(call(n)))
		}
		s.agent.say("%s", update(text("the end")))
		one.expect(update(text("the end")))
		late := s.join("late")
		late.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		slow.resume()
		for _, p := range []*peer{late, slow} {
			for n := range calls {
				p.expect(update(call(n)))
			}
			p.expect(update(text("the end")))
		}
		left, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Empty(t, left, "nobody finds what was said")
	})
}
