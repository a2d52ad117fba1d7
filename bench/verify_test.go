package main

import (
	"bufio"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/bench/events"
)

const goodTurn = `{"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"}}}}
{"method":"session/update","params":{"update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"t"}}}}
{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"1"}}}
{"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"bé"}}}}
{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update","toolCallId":"1","status":"completed","content":[{"type":"content","content":{"type":"text","text":"result"}}]}}}
{"id":1,"result":{"stopReason":"end_turn"}}
`

func verifyTurn(turn string) error {
	v := newVerifier(&session{Reader: bufio.NewReader(strings.NewReader(turn)), running: 1})
	if err := v.rest(); err != nil {
		return err
	}
	text, thought := events.NewDigester(), events.NewDigester()
	text.Add("abé")
	thought.Add("t")
	return v.compare(events.Summary{Text: text.Digest(), Thought: thought.Digest(), Calls: 1, ResultBytes: 6})
}

func TestVerifierAcceptsTheSentTextInAnyPieces(t *testing.T) {
	require.NoError(t, verifyTurn(goodTurn))
	joined := strings.Replace(goodTurn, `"text":"a"`, `"text":"abé"`, 1)
	joined = strings.Replace(joined, `"text":"bé"`, `"text":""`, 1)
	require.NoError(t, verifyTurn(joined))
}

func TestVerifierFindsWhatIsWrong(t *testing.T) {
	lines := strings.SplitAfter(goodTurn, "\n")
	for i := range 5 {
		lost := strings.Join(append(append([]string(nil), lines[:i]...), lines[i+1:]...), "")
		require.Error(t, verifyTurn(lost), "line %d lost", i)
		doubled := strings.Join(append(append([]string(nil), lines[:i+1]...), lines[i:]...), "")
		require.Error(t, verifyTurn(doubled), "line %d doubled", i)
	}
	swapped := fmt.Sprint(lines[3], lines[1], lines[2], lines[0], lines[4], lines[5])
	require.Error(t, verifyTurn(swapped), "out of order")
	shortened := strings.Replace(goodTurn, "result\"", "resul\"", 1)
	require.Error(t, verifyTurn(shortened), "a result was cut")
}
