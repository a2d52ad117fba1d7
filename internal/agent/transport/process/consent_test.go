//go:build unix

package process_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/test/limits"
)

const (
	refusedConfirmation = `{"type":"tool_confirmation_response","sessionId":"s1","turnId":"t1","toolCallId":"x","decision":"cancelled"}`
	refusedQuestion     = `{"type":"question_response","sessionId":"s1","turnId":"t1","questionId":"q","answer":"","cancelled":true}`
	cancelT1            = `{"type":"cancel","sessionId":"s1","turnId":"t1"}`
)

func (c *conversation) permit() {
	c.Confirm(agent.ConfirmationResponse{SessionID: "s1", TurnID: "t1", ToolCallID: "x", Decision: agent.AllowOnce})
	c.Answer(agent.QuestionResponse{SessionID: "s1", TurnID: "t1", QuestionID: "q", Answer: "a, b", Answers: []string{"a", "b"}})
}

func TestNothingIsPermittedAfterACancel(t *testing.T) {
	c := open(t, scripted(`while read -r line; do printf '{"type":"telemetry","data":%s}\n' "$line"; done`))
	c.prompt("t1")
	c.next() // the prompt
	c.Cancel(agent.Cancel{SessionID: "s1", TurnID: "t1"})
	c.permit()
	require.Equal(t, []string{cancelT1, refusedConfirmation, refusedQuestion}, c.until(refusedQuestion))
}

// The pipe is full when the user answers, so no part of the answer is on its
// way when the cancel comes.
func TestACancelRefusesUnwrittenPermissions(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "go")
	// A prompt is not sent if it is cancelled before the first byte was sent.
	config := scripted(`begun=$(dd bs=1 count=1 2>/dev/null); say ready; while [ ! -e "$GO" ]; do sleep 0.01; done
		while read -r line; do printf '{"type":"telemetry","data":%s%s}\n' "$begun" "$line"; begun=; done`)
	config.Env = append(os.Environ(), "GO="+gate)
	c := open(t, config)
	require.NoError(t, c.Prompt(agent.Prompt{SessionID: "s1", TurnID: "t1", Text: strings.Repeat("x", 1<<17)}))
	c.until("ready")
	c.permit()
	c.Cancel(agent.Cancel{SessionID: "s1", TurnID: "t1"})
	require.NoError(t, os.WriteFile(gate, nil, 0o600))
	events := c.until(cancelT1)
	require.Equal(t, []string{refusedConfirmation, refusedQuestion, cancelT1}, events[1:])
}

func TestRequestsInAnAbandonedTurnAreRefused(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "go")
	config := scripted(`
		read -r prompt; say ready; read -r cancel
		while [ ! -e "$GO" ]; do sleep 0.01; done
		echo '{"type":"tool_confirmation_request","confirmationId":"1","toolCallId":"x"}'
		echo '{"type":"question","questionId":"q","question":"?"}'
		read -r one; read -r two; end
		read -r prompt; printf '{"type":"telemetry","data":[%s,%s]}\n' "$one" "$two"; end`)
	config.Env = append(os.Environ(), "GO="+gate)
	c := open(t, config)
	c.prompt("t1")
	c.until("ready")
	c.Cancel(agent.Cancel{SessionID: "s1", TurnID: "t1"})
	c.Abandon("t1")
	require.NoError(t, os.WriteFile(gate, nil, 0o600))
	c.rests()
	c.prompt("t2")
	events := c.until("done")
	require.Contains(t, events[0], `"confirmationId":"1","toolCallId":"x","decision":"cancelled","reason":"the turn was cancelled`)
	require.Contains(t, events[0], `"questionId":"q","answer":"","cancelled":true,"reason":"the turn was cancelled`)
}

func TestAChildThatFloodsRequestsUnreadIsEnded(t *testing.T) {
	c := open(t, scripted(`say ready; sleep 100`))
	c.prompt("t1")
	c.until("ready")
	limits.Eventually(t, func() bool { return c.backend.Prompted("t1") })
	for range 1 << 16 {
		c.permit()
	}
	require.Equal(t, "agent_exited", c.failure().Code)
}

func TestEverythingIsWrittenBeforeStdinIsClosed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "heard")
	// The agent hears nothing of a prompt that is cancelled before it was
	// sent.
	config := scripted(`read -r prompt; say ready; cat > "$FILE"; :`) // a shell may become its last command, which has no stdout here
	config.Env = append(os.Environ(), "FILE="+file)
	c := open(t, config)
	c.prompt("t1")
	c.until("ready")
	c.Cancel(agent.Cancel{SessionID: "s1", TurnID: "t1"})
	c.permit()
	require.NoError(t, c.Close(t.Context()))
	received, err := os.ReadFile(file)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(received), strings.Join([]string{cancelT1, refusedConfirmation, refusedQuestion}, "\n")+"\n"), "%s", received)
}

// An agent that asks when nobody can be asked still gets its answer.
func TestAnswersOutsideATurnAreRefusals(t *testing.T) {
	c := open(t, scripted(`read -r line; say ready; end; read -r line; printf '{"type":"telemetry","data":%s}\n' "$line"; read -r line`))
	c.prompt("t1")
	c.until("done")
	c.Confirm(agent.ConfirmationResponse{SessionID: "s1", ToolCallID: "x", Decision: agent.AllowOnce})
	want := `{"type":"tool_confirmation_response","sessionId":"s1","turnId":"","toolCallId":"x","decision":"cancelled"}`
	require.Equal(t, []string{want}, c.until(want))
}
