//go:build unix

package process_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
)

// lateAgent answers a cancel once the file $GO exists. It answers every
// prompt with its process id.
const lateAgent = `
	while read -r line; do
		say "I am $$"
		case $line in
		*t1*) read -r line
			while [ ! -e "$GO" ]; do sleep 0.01; done
			say late; end; say 'behind the end';;
		*) end;;
		esac
	done`

func openLate(t *testing.T) (c *conversation, release func()) {
	gate := filepath.Join(t.TempDir(), "go")
	config := scripted(lateAgent)
	config.Env = append(os.Environ(), "GO="+gate)
	return open(t, config), func() { require.NoError(t, os.WriteFile(gate, nil, 0o600)) }
}

func (c *conversation) next() string {
	c.T.Helper()
	b := c.Batch()
	defer b.Release()
	for e := range b.Events() {
		return brief(e)
	}
	return ""
}

func TestAbandonedTurnThatNeverEndsReplacesTheChild(t *testing.T) {
	c, _ := openLate(t)
	c.prompt("t1")
	first := c.next()
	c.Cancel(agent.Cancel{TurnID: "t1"})
	c.Abandon("t1")
	c.prompt("t2")
	events := c.until("done")
	require.Len(t, events, 2)
	require.NotEqual(t, first, events[0])
}

func TestAbandonedTurnThatEndsLateKeepsTheChild(t *testing.T) {
	c, release := openLate(t)
	c.prompt("t1")
	first := c.next()
	c.Cancel(agent.Cancel{TurnID: "t1"})
	c.Abandon("t1")
	release()
	c.rests()
	c.prompt("t2")
	events := c.until("done")
	require.Contains(t, events, first)
	require.NotContains(t, events, "late")
}

func TestAbandoningTakesEffectAfterTheBatchIsReleased(t *testing.T) {
	c, release := openLate(t)
	c.prompt("t1")
	out := c.Batch()
	c.Cancel(agent.Cancel{TurnID: "t1"})
	c.Abandon("t1")
	for e := range out.Events() { // the race detector watches the decoder
		require.Contains(t, brief(e), "I am ")
	}
	release() // a batch is read when it is ranged over, so it does not contain what comes now
	require.False(t, c.backend.Rested())
	out.Release()
	c.rests()
}

func TestAbandoningAnotherTurnDropsNothing(t *testing.T) {
	c, release := openLate(t)
	c.prompt("t1")
	c.next()
	c.Abandon("t0")
	c.Cancel(agent.Cancel{TurnID: "t1"})
	release()
	require.Equal(t, []string{"late", "done", "behind the end"}, c.until("behind the end"))
}

func TestTurnCanBeAbandonedTwiceAndAgain(t *testing.T) {
	c := open(t, scripted(`while read -r line; do say "$$"; done`))
	seen := make(map[string]bool)
	for _, turn := range []string{"t1", "t2", "t3"} {
		c.prompt(turn)
		seen[c.next()] = true
		c.Abandon(turn)
		c.Abandon(turn)
	}
	require.Len(t, seen, 3, "a child each")
}

// The previous child may take long to be gone. In the meantime, the turn can
// be cancelled, and the turn after it runs next.
func TestAPromptDoesNotWaitForThePreviousChildsExit(t *testing.T) {
	c := open(t, scripted(`read -r line; printf '{"type":"telemetry","data":%s}\n' "$line"
		case $line in *t2*) end;; esac; read -r line`))
	c.prompt("t0")
	c.next()
	c.Abandon("t0")
	release := c.backend.Hang()
	c.prompt("t1")
	c.Cancel(agent.Cancel{TurnID: "t1"})
	c.Abandon("t1")
	c.prompt("t2")
	release()
	events := c.until("done")
	require.Len(t, events, 2)
	require.Contains(t, events[0], `"turnId":"t2"`)
}

func TestATurnCanBeCancelledBeforeItHasAChild(t *testing.T) {
	c := open(t, scripted(`read -r line; say ready; read -r line`))
	c.prompt("t0")
	c.next()
	c.Abandon("t0")
	release := c.backend.Hang()
	c.prompt("t1")
	c.Cancel(agent.Cancel{TurnID: "t1"})
	require.Equal(t, []string{"done"}, c.until("done"))
	release()
}

// The cancel may come before or after the prompt was sent.
func TestATurnThatIsCancelledAtOnceEnds(t *testing.T) {
	c := open(t, scripted(`while read -r line; do case $line in *'"cancel"'*) end;; esac; done`))
	for n := range 300 {
		turn := "t" + strconv.Itoa(n)
		c.prompt(turn)
		c.Cancel(agent.Cancel{TurnID: turn})
		require.Equal(t, []string{"done"}, c.until("done"))
	}
}

func TestAChildThatCannotBeStartedAgainIsAnError(t *testing.T) {
	cwd := filepath.Join(t.TempDir(), "cwd")
	require.NoError(t, os.Mkdir(cwd, 0o700))
	c := openIn(t, cwd, scripted(`read -r line; rmdir "$PWD"; end`))
	c.prompt("t0")
	c.until("error agent_exited t0")
	c.prompt("t1")
	c.until("error " + process.CodeNotStarted + " t1")
}
