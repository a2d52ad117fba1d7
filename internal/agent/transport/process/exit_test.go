//go:build unix

package process_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

func TestExitDuringATurnIsAnErrorAndTheNextPromptRestarts(t *testing.T) {
	c := open(t, scripted(`
		read -r line; say "I am $$"
		case $line in *again*) end; read -r line;; esac
		echo 'cannot reach the model' >&2; exit 3`))
	c.prompt("t1")
	b := c.Batch()
	var first string
	for e := range b.Events() {
		first = brief(e)
	}
	b.Release()
	failure := c.failure()
	require.Equal(t, process.CodeExited, failure.Code)
	require.Equal(t, "t1", failure.TurnID)
	require.Nil(t, failure.Fatal)
	require.Contains(t, failure.Error, "The agent stopped (exit status 3). Last lines of stderr: cannot reach the model")

	require.NoError(t, c.Prompt(agent.Prompt{TurnID: "t2", Text: "again"}))
	events := c.until("done")
	require.True(t, strings.HasPrefix(events[0], "I am "), events)
	require.NotEqual(t, first, events[0])
}

// Some agents print on stdout why they exit.
func TestOutputBesidesEventsIsQuotedAtTheExit(t *testing.T) {
	c := open(t, scripted(`read -r line; say whole; printf '\033[31mno key:\033[0m set X_KEY\n{"type":"nothing"}\n'; exit 2`))
	c.prompt("t1")
	require.Contains(t, c.failure().Error, "The agent stopped (exit status 2). Lines on stdout that are not events: no key: set X_KEY")
}

func TestOnlyTheEndOfTheOutputIsQuoted(t *testing.T) {
	c := open(t, scripted(`read -r line; i=0; while [ $i -lt 900 ]; do echo "line $i"; i=$((i+1)); done; exit 2`))
	c.prompt("t1")
	text := c.failure().Error
	require.Contains(t, text, "line 898\nline 899")
	require.NotContains(t, text, "line 100\n")
	require.Less(t, len(text), 5000)
}

func TestAnUnterminatedLineAtTheExitIsAnEvent(t *testing.T) {
	c := open(t, scripted(`read -r line; say whole; printf '{"type":"text_delta","text":"half"}'`))
	c.prompt("t1")
	require.Equal(t, []string{"whole", "half", "error agent_exited t1"}, c.until("error agent_exited t1"))
}

func TestAnIncompleteEventAtTheExitIsDropped(t *testing.T) {
	c := open(t, scripted(`read -r line; say whole; printf '{"type":"text_del'`))
	c.prompt("t1")
	require.Equal(t, []string{"whole", "hint", "error agent_exited t1"}, c.until("error agent_exited t1"))
}

func TestExitBetweenTurnsNamesTheTurnBefore(t *testing.T) {
	c := open(t, scripted(`read -r line; say once; end`))
	for _, turn := range []string{"t1", "t2", "t3"} {
		c.prompt(turn)
		last := "error agent_exited " + turn
		require.Equal(t, []string{"once", "done", last}, c.until(last))
	}
}

func TestChildThatClosesItsStdoutIsStopped(t *testing.T) {
	c := open(t, scripted(`read -r line; exec >&-; exec sleep 3600`))
	c.prompt("t1")
	require.Contains(t, c.failure().Error, "signal: terminated")
}

func TestDescendantsDoNotHoldATurnOpen(t *testing.T) {
	c := open(t, scripted(`read -r line; sleep 3600 & exit 9`))
	c.prompt("t1")
	require.Contains(t, c.failure().Error, "exit status 9")
}

func TestAReplacedChildsOutputNeverFollowsThePrompt(t *testing.T) {
	c := open(t, scripted(`
		read -r line
		case $line in *t1*) trap '' TERM; yes '{"type":"text_delta","text":"old"}';; esac
		say new; end; read -r line`))
	c.prompt("t1")
	for range 3 {
		b := c.Batch()
		b.Release()
	}
	c.Cancel(agent.Cancel{TurnID: "t1"})
	c.Abandon("t1")
	c.prompt("t2")
	require.Equal(t, []string{"new", "done"}, c.until("done"))
}

func TestSilentCommandsCauseAHint(t *testing.T) {
	config := scripted(`cat > /dev/null`)
	config.Silence = time.Nanosecond
	c := open(t, config)
	c.prompt("t1")
	require.Equal(t, []string{"hint"}, c.until("hint"))
}

// A child that replaces another one may exit at once, for example because the program
// was removed in the meantime. It must not be restarted again and again.
func TestANewChildThatExitsAtOnceEndsTheTurn(t *testing.T) {
	dir := t.TempDir()
	config := scripted(`echo start >> starts; [ -e broken ] && exit 3; touch broken
		echo '{"type":"agent_info","resume":true}'; read -r session; read -r prompt; end`)
	config.Greets = true
	s, err := process.New(config).Open(t.Context(), agent.Options{SessionID: "s1", Cwd: dir})
	require.NoError(t, err)
	c := &conversation{Conversation: agenttest.Converse(t, s, brief)}
	c.prompt("t1")
	c.until("done")
	require.Contains(t, c.failure().Error, "exit status 0")
	c.prompt("t2")
	require.Contains(t, c.failure().Error, "exit status 3")
	c.End()
	starts, err := os.ReadFile(filepath.Join(dir, "starts"))
	require.NoError(t, err)
	require.Equal(t, "start\nstart\n", string(starts))
}
