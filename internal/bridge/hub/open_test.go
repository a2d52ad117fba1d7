package hub_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// A hub doesn't know whether the agent can load sessions before the agent's initialize
// response. Clients that come later need the session's history.
func TestResumeBeforeInitializeIsAnsweredLoadsTheHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.client()
		one.say(hello, "one")
		one.say(`{"jsonrpc":"2.0","id":"resume","method":"session/resume","params":{"sessionId":"s1","cwd":"/w"}}`)
		s.agent = <-s.came
		initialize, _ := s.agent.awaitCall("initialize")
		synctest.Wait()
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true},"authMethods":[]}}`, initialize)
		load, _ := s.agent.awaitCall("session/load")
		s.agent.say("%s", update(text("earlier")))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, load)
		one.hear()
		one.expect(`{"jsonrpc":"2.0","id":"resume","result":{}}`)
		two := s.client()
		two.say(hello, "two")
		two.hear()
		two.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		two.expectText("earlier")
	})
}

// The end of a call reaches only the session in which it runs.
func TestForkEndsTheCallsThatAreOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		one.say(prompt)
		s.agent.awaitCall("session/prompt")
		call := `{"sessionUpdate":"tool_call","toolCallId":"%s","title":"C","status":"in_progress"}`
		for _, u := range []string{fmt.Sprintf(call, "a"), fmt.Sprintf(call, "b"), `{"sessionUpdate":"tool_call_update","toolCallId":"b","status":"completed"}`} {
			s.agent.say("%s", update(u))
			one.expect(update(u))
		}
		one.say(`{"jsonrpc":"2.0","id":"fork","method":"session/fork","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		id, _ := s.agent.awaitCall("session/fork")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s2"}}`, id)
		one.expect(`{"jsonrpc":"2.0","id":"fork","result":{"sessionId":"s2"}}`)
		two := s.join("two")
		two.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s2","cwd":"/w","mcpServers":[]}}`)
		for _, u := range []string{prompted, strings.Replace(fmt.Sprintf(call, "a"), "in_progress", "failed", 1), strings.Replace(fmt.Sprintf(call, "b"), "in_progress", "completed", 1)} {
			two.expect(strings.Replace(update(u), `"s1"`, `"s2"`, 1))
		}
	})
}

// A client attaches again while its prompt runs. The answer to the prompt still follows the
// updates of the turn.
func TestAnswerFollowsUpdatesAfterAttachingAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		one.say(prompt)
		turn, _ := s.agent.awaitCall("session/prompt")
		one.say(`{"jsonrpc":"2.0","id":"resume","method":"session/resume","params":{"sessionId":"s1","cwd":"/w"}}`)
		one.hear()
		s.agent.say("%s\n"+`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, update(text("last")), turn)
		one.expect(update(text("last")))
		one.expect(`{"jsonrpc":"2.0","id":"p","result":{"stopReason":"end_turn"}}`)
	})
}

// A session that is not open has no clients, so nobody could see or cancel its turn.
func TestPromptNeedsAnOpenSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		one.say(prompt)
		one.expectError(`"p"`, -32002, `unknown session "s1": load, resume or attach it first`)
		require.Empty(t, s.agent.lines)
	})
}

// A client that knew the session before a restart gets what happened since, and nothing
// that it knows: not even if texts from before and after would otherwise be joined.
func TestAClientThatReturnsAfterARestartMissesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		first := s.join("first")
		first.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		load, _ := s.agent.awaitCall("session/load")
		s.agent.say("%s", update(text("before ")))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, load)
		first.expectText("before ")
		first.hear()
		s.agent.say("%s", update(text("unasked, ")))
		first.expectText("unasked, ")
		first.say(prompt)
		id, _ := s.agent.awaitCall("session/prompt")
		s.agent.say("%s", update(text("asked")))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, id)
		first.expectText("asked")
		first.hear()
		third := s.join("third") // it makes the hub fold the history
		third.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		third.expectText("before unasked, ")
		third.expect(update(prompted))
		third.expectText("asked")
		third.hear()

		returns := s.join("returns")
		returns.say(`{"jsonrpc":"2.0","id":"r","method":"session/resume","params":{"sessionId":"s1","cwd":"/w","_meta":{"turnwire.dev/afterRestart":true}}}`)
		returns.expectText("unasked, ")
		returns.expect(update(prompted))
		returns.expectText("asked")
		returns.expect(`{"jsonrpc":"2.0","id":"r","result":{}}`)

		other := s.join("other")
		other.say(`{"jsonrpc":"2.0","id":"r","method":"session/resume","params":{"sessionId":"s1","cwd":"/w","_meta":{"turnwire.dev/afterRestart":false}}}`)
		other.expect(`{"jsonrpc":"2.0","id":"r","result":{}}`)
	})
}
