package events

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

func TestHintsAreShownUnlessTheTurnGoesOn(t *testing.T) {
	echo := agent.Hint{Rule: lint.Echo, Kind: "echo ", Line: 1, Message: "the program repeats its input", Help: "Check the command after --."}
	silent := agent.Hint{Rule: lint.Silent, Kind: "silent ", Message: "the agent has printed nothing yet", Help: "Flush stdout."}
	for name, c := range map[string]struct {
		hint  agent.Hint
		after time.Duration // the time until the user is told
		goes  bool          // the turn shows something before that
		says  string
	}{
		"a line":                          {hint: echo, after: hintWait, says: "The program repeats its input. Check the command after --."},
		"a line, and then a slow answer":  {hint: echo, goes: true},
		"the silence of the last seconds": {hint: silent, says: "The agent has printed nothing yet. Flush stdout."},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var notices []string
				h := hints{turn: &turn{running: true}, tell: func(n *agent.Notice) { notices = append(notices, n.Message) }}
				h.add(&c.hint)
				if c.after > 0 {
					time.Sleep(c.after - time.Nanosecond)
					h.check()
					require.Empty(t, notices, "the agent has some time left")
					time.Sleep(time.Nanosecond)
				}
				if c.goes {
					time.Sleep(time.Millisecond)
					h.turn.shown++
					time.Sleep(hintWait)
				}
				h.check()
				if c.says == "" {
					require.Empty(t, notices)
					return
				}
				require.Equal(t, []string{c.says}, notices)
			})
		})
	}
}
