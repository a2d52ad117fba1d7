package ethos_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/ethos"
)

// played returns the config to run this binary instead of `ethos acp`.
func played(t *testing.T, part string) ethos.ACPConfig {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	return ethos.ACPConfig{Args: []string{self}, Env: append(os.Environ(), playEnv+"="+part), Personality: "engineer"}
}

func TestACPTurns(t *testing.T) {
	c := open(t, ethos.NewACP(played(t, "well")))
	c.prompt("t1", "hi")
	text, end := c.done()
	require.Equal(t, "Hello.", text)
	require.Equal(t, "t1", end.TurnID)
	require.Empty(t, end.StopReason)
	c.prompt("t2", "who")
	text, _ = c.done()
	require.Contains(t, text, "engineer")
	require.Contains(t, text, "acp:")
}

func TestACPYieldsTheWholeStream(t *testing.T) {
	c := open(t, ethos.NewACP(played(t, "well")))
	c.prompt("t1", "many")
	text, _ := c.done()
	require.Equal(t, 5000*40, strings.Count(text, "x"))
	require.Equal(t, 200<<10, strings.Count(text, "y"))
}

func TestACPCancelsThePromptThatRuns(t *testing.T) {
	for _, how := range []string{"wait", "aborted"} {
		t.Run(how, func(t *testing.T) {
			c := open(t, ethos.NewACP(played(t, "well")))
			for _, turn := range []string{"t1", "t2"} { // the second one has another id, and follows a cancel
				c.prompt(turn, how)
				text, _ := c.until("text_delta")
				require.Equal(t, "one ", text)
				c.cancel(turn)
				_, end := c.done()
				require.Equal(t, agent.StopCancelled, end.StopReason)
			}
			c.prompt("t3", "hi")
			_, end := c.done()
			require.Empty(t, end.StopReason)
		})
	}
}

func TestACPErrorsEndTheTurnOnce(t *testing.T) {
	c := open(t, ethos.NewACP(played(t, "well")))
	for prompt, want := range map[string]string{
		"refused": "401 wrong key",
		"throw":   "ENOENT: no such file",
	} {
		c.prompt("t1", prompt)
		require.Equal(t, want, c.failure().Error)
		c.prompt("t2", "hi")
		text, end := c.done()
		require.Equal(t, "Hello.", text)
		require.Equal(t, "t2", end.TurnID)
	}
}

func TestACPThatDoesNotAnswerAfterAnErrorIsReplaced(t *testing.T) {
	c := open(t, ethos.NewACP(played(t, "well")))
	c.prompt("t1", "unanswered")
	require.Equal(t, "401 wrong key", c.failure().Error)
	c.prompt("t2", "hi")
	text, _ := c.done()
	require.Equal(t, "Hello.", text)
}

func TestACPCanBeCancelledBeforeItIsReady(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	c := open(t, ethos.NewACP(played(t, "mute:"+asked)))
	for _, turn := range []string{"t1", "t2"} {
		c.prompt(turn, "hi")
		require.Eventually(t, func() bool { return os.Remove(asked) == nil }, patience, time.Millisecond)
		c.cancel(turn)
		_, end := c.done()
		require.Equal(t, agent.StopCancelled, end.StopReason)
	}
}

func TestACPRestartsAndContinuesAfterAnExit(t *testing.T) {
	c := open(t, ethos.NewACP(played(t, "well")))
	c.prompt("t1", "who")
	first, _ := c.done()
	c.prompt("t2", "exit")
	e := c.failure()
	require.Equal(t, "agent_exited", e.Code)
	require.Contains(t, e.Error, "exit status 13")
	require.Contains(t, e.Error, "the roof is on fire")
	c.prompt("t3", "who")
	second, _ := c.done()
	require.NotEqual(t, first, second, "another process")
	require.Equal(t, strings.Fields(first)[0], strings.Fields(second)[0], "the same conversation")
}

func TestACPThatDoesNotStopIsReplaced(t *testing.T) {
	c := open(t, ethos.NewACP(played(t, "well")))
	c.prompt("t1", "deaf")
	c.until("text_delta")
	c.cancel("t1")
	c.Abandon("t1")
	c.prompt("t2", "hi")
	text, end := c.done()
	require.Equal(t, "Hello.", text)
	require.Equal(t, "t2", end.TurnID)
}

func TestACPThatRefusesToStartSaysWhy(t *testing.T) {
	c := open(t, ethos.NewACP(played(t, "refuse")))
	for _, turn := range []string{"t1", "t2"} {
		c.prompt(turn, "hi")
		e := c.failure()
		require.Contains(t, e.Error, "exit status 1")
		require.Contains(t, e.Error, "callCapture.personalityId is not set")
		require.Contains(t, e.Error, "~/.ethos/config.yaml")
	}
}

func TestACPThatIsAnotherAgentIsRefused(t *testing.T) {
	c := open(t, ethos.NewACP(played(t, "another")))
	c.prompt("t1", "hi")
	require.Contains(t, c.failure().Error, "refused initialize: Invalid params")
}

func TestACPReportsAMissingProgram(t *testing.T) {
	c := open(t, ethos.NewACP(ethos.ACPConfig{Args: []string{filepath.Join(t.TempDir(), "ethos"), "acp"}}))
	c.prompt("t1", "hi")
	e := c.failure()
	require.Equal(t, "agent_start_failed", e.Code)
	require.Contains(t, e.Error, "Install Ethos")
}

func TestACPIsClosedInTheMiddleOfATurn(t *testing.T) {
	c := open(t, ethos.NewACP(played(t, "well")))
	c.prompt("t1", "many")
	c.until("text_delta") // and stops reading
}

func TestACPIsEthosByDefault(t *testing.T) {
	a := ethos.NewACP(ethos.ACPConfig{})
	require.Equal(t, agent.Info{Name: "ethos", Title: "Ethos", Resume: true}, a.Info())
}
