//go:build unix

package process_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
	"github.com/turnwire/turnwire/internal/test/agenttest"
	"github.com/turnwire/turnwire/internal/test/limits"
)

func TestOneChildServesAllTurns(t *testing.T) {
	c := open(t, scripted(`n=0; while read -r line; do n=$((n+1)); say "turn $n of $$"; end; done`))
	c.prompt("t1")
	first := c.until("done")
	pid, ok := strings.CutPrefix(first[0], "turn 1 of ")
	require.True(t, ok, first)
	c.prompt("t2")
	require.Equal(t, []string{"turn 2 of " + pid, "done"}, c.until("done"))
}

func TestNothingIsStartedBeforeThePrompt(t *testing.T) {
	c := open(t, process.Config{Args: []string{"no-such-agent-anywhere"}, Dialect: native.Dialect})
	c.Cancel(agent.Cancel{TurnID: "t0"})
	c.Abandon("t0")
	for _, turn := range []string{"t1", "t2"} {
		c.prompt(turn)
		failure := c.failure()
		require.Equal(t, process.CodeNotStarted, failure.Code)
		require.Equal(t, turn, failure.TurnID)
		require.Contains(t, failure.Error, "no-such-agent-anywhere")
	}
}

func TestCommandsAreLinesInTheOrderOfTheCalls(t *testing.T) {
	c := open(t, scripted(`while read -r line; do printf '{"type":"telemetry","data":%s}\n' "$line"; done`))
	require.NoError(t, c.Prompt(agent.Prompt{
		SessionID: "s1", TurnID: "t1", Cwd: "/w", Text: "a <b> & \"c\"\n",
		Blocks: []agent.Content{{Type: "text", Text: "<b>"}},
	}))
	want := []string{
		`{"type":"prompt","sessionId":"s1","turnId":"t1","cwd":"/w","text":"a <b> & \"c\"\n","prompt":[{"type":"text","text":"<b>"}]}`,
		`{"type":"tool_confirmation_response","sessionId":"s1","turnId":"t1","toolCallId":"x","decision":"allow_once"}`,
		`{"type":"question_response","sessionId":"s1","turnId":"t1","questionId":"q","answer":"yes"}`,
		`{"type":"steer","sessionId":"s1","turnId":"t1","steerId":"steer-1","text":"no","prompt":[]}`,
		`{"type":"cancel","sessionId":"s1","turnId":"t1"}`,
	}
	require.Equal(t, want[:1], c.until(want[0]))
	c.Confirm(agent.ConfirmationResponse{SessionID: "s1", TurnID: "t1", ToolCallID: "x", Decision: agent.AllowOnce})
	c.Answer(agent.QuestionResponse{SessionID: "s1", TurnID: "t1", QuestionID: "q", Answer: "yes"})
	require.True(t, c.steer("t1"))
	require.False(t, c.steer("t0"), "another turn")
	require.Equal(t, want[1:4], c.until(want[3]))
	c.Cancel(agent.Cancel{SessionID: "s1", TurnID: "t1"})
	require.False(t, c.steer("t1"), "the turn is cancelled")
	require.Equal(t, want[4:], c.until(want[4]))
}

// The command is started by the prompt, so messages for the turn may come earlier.
func TestSteeringWaitsForThePrompt(t *testing.T) {
	c := open(t, scripted(`while read -r line; do printf '{"type":"telemetry","data":%s}\n' "$line"; done`))
	c.prompt("t1")
	require.True(t, c.steer("t1"))
	lines := c.until(`{"type":"steer","sessionId":"s1","turnId":"t1","steerId":"steer-1","text":"no","prompt":[]}`)
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], `"type":"prompt"`)
}

func TestChildRunsInTheSessionsDirectoryWithTheGivenEnvironment(t *testing.T) {
	config := scripted(`read -r line; say "$(pwd) $PWD $NAME"; end; read -r line`)
	config.Env = []string{"NAME=value", "PATH=" + os.Getenv("PATH")}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	c := &conversation{Conversation: agenttest.Open(t, process.New(config), agent.Options{Cwd: dir}, brief)}
	c.prompt("t1")
	require.Equal(t, dir+" "+dir+" value", c.until("done")[0])
}

func TestInvalidEventsAreSkipped(t *testing.T) {
	c := open(t, scripted(`
		read -r line
		echo 'Loading the model...'; echo; echo '[1,2]'; echo 'null'; echo '{"type":'; printf '\377\376\n'
		echo '{"no":"type"}'; echo '{"type":"text_delta","text":7}'; say fine; end
		read -r line`))
	c.prompt("t1")
	events := c.until("done")
	require.Contains(t, events, "hint", "the author is told")
	events = slices.DeleteFunc(events, func(s string) bool { return s == "hint" })
	require.Equal(t, []string{"fine", "done"}, events)
}

func TestInfoNamesTheCommand(t *testing.T) {
	info := process.New(process.Config{Args: []string{"/opt/bin/my-agent", "--fast"}}).Info()
	require.Equal(t, agent.Info{Name: "my-agent", Title: "my-agent", Local: true}, info)
	info = process.New(process.Config{Args: []string{"my-agent"}, Title: "My Agent"}).Info()
	require.Equal(t, agent.Info{Name: "my-agent", Title: "My Agent", Local: true}, info)
}

func TestFloodOfStderrDoesNotDelayTheTurn(t *testing.T) {
	c := open(t, scripted(`read -r line; yes 'noise noise noise' | head -c 10485760 >&2; say through; end; read -r line`))
	c.prompt("t1")
	require.Equal(t, []string{"through", "done"}, c.until("done"))
}

func TestChildThatNeverReadsItsStdinBlocksNobody(t *testing.T) {
	c := open(t, scripted(`say up; exec sleep 3600`))
	require.NoError(t, c.Prompt(agent.Prompt{TurnID: "t1", Text: strings.Repeat("long ", 1<<20)}))
	c.until("up")
	limits.Eventually(t, func() bool { return c.backend.Prompted("t1") })
	for range 1000 {
		c.Cancel(agent.Cancel{TurnID: "t1"})
	}
	c.Abandon("t1")
	require.NoError(t, c.Prompt(agent.Prompt{TurnID: "t2", Text: strings.Repeat("long ", 1<<20)}))
	require.Equal(t, []string{"up"}, c.until("up"))
}

func TestCancelArrivesWhileNobodyReceives(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "cancelled")
	config := scripted(`
		read -r line; say ready
		yes '{"type":"text_delta","text":"flood"}' &
		read -r line && printf '%s' "$line" > "$MARK"
		wait`)
	config.Env = append(os.Environ(), "MARK="+mark)
	c := open(t, config)
	c.prompt("t1")
	c.next()
	c.Cancel(agent.Cancel{SessionID: "s1", TurnID: "t1"})
	var got agent.Cancel
	limits.Eventually(t, func() bool {
		line, err := os.ReadFile(mark)
		return err == nil && json.Unmarshal(line, &got) == nil
	})
	require.Equal(t, "t1", got.TurnID)
}

func TestNothingOfAFloodIsLost(t *testing.T) {
	const lines = 200_000
	c := open(t, scripted(`read -r line; seq `+strconv.Itoa(lines)+` | sed 's/.*/{"type":"text_delta","text":"&"}/'; end; read -r line`))
	c.prompt("t1")
	events := c.until("done")
	require.Len(t, events, lines+1)
	for i, text := range events[:lines] {
		require.Equal(t, strconv.Itoa(i+1), text)
	}
}
