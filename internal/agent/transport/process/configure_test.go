//go:build unix

package process_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// settable applies every option, and ends every turn at once.
const settable = `
	while read -r line; do
		case $line in
		*'"set_option"'*) printf '{"type":"telemetry","data":%s}\n{"type":"mode_changed","modeId":"do"}\n' "$line";;
		*) end;;
		esac
	done`

func choice() agent.SetOption {
	return agent.SetOption{SessionID: "s1", OptionID: "mode", Value: agent.Chosen("do")}
}

func TestChoicesAreSentBetweenTurns(t *testing.T) {
	c := open(t, scripted(settable))
	c.prompt("t1")
	c.until("done")
	require.NoError(t, c.Configure(choice()))
	require.Equal(t, []string{`{"type":"set_option","sessionId":"s1","optionId":"mode","value":"do"}`, "mode_changed"}, c.until("mode_changed"))
}

func TestChoicesAreRefusedIfNoChildRuns(t *testing.T) {
	c := open(t, scripted(`read -r line; end`))
	require.ErrorContains(t, c.Configure(choice()), "the next prompt", "before the first prompt")
	c.prompt("t1")
	c.failure()
	require.ErrorContains(t, c.Configure(choice()), "the next prompt", "after the child's end")
	require.NoError(t, c.Close(t.Context()))
	require.ErrorContains(t, c.Configure(choice()), "closed")
}

func TestChoicesWaitForTheEndOfAnAbandonedTurn(t *testing.T) {
	c, release := openLate(t)
	c.prompt("t1")
	first := c.next() // it sends this for every line
	c.Cancel(agent.Cancel{TurnID: "t1"})
	c.Abandon("t1")
	require.Error(t, c.Configure(choice()), "what the child says is dropped")
	release()
	c.rests()
	require.NoError(t, c.Configure(choice()))
	require.Contains(t, c.until("done"), first)
}
