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

// An agent may work in a session that no client has opened. If a client loads it then, the
// agent's history contains what it said before.
func TestHistoryContainsOnceWhatCameBeforeTheSessionWasLoaded(t *testing.T) {
	for _, method := range []string{"session/load", "session/resume"} {
		t.Run(method, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t)
				one := s.join("one")
				s.agent.say("%s", update(text("on its own")))
				synctest.Wait()
				one.say(`{"jsonrpc":"2.0","id":"open","method":%q,"params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`, method)
				load, _ := s.agent.awaitCall("session/load")
				s.agent.say("%s", update(text("on its own")))
				s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, load)
				two := s.join("two")
				two.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
				two.expect(update(text("on its own")))
				two.expect(`{"jsonrpc":"2.0","id":"load","result":{}}`)
			})
		})
	}
}

// If two clients open a session at once, each can cancel only its own request.
func TestACancelledLoadFailsForItsClientAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		one.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		load, _ := s.agent.awaitCall("session/load")
		two.say(`{"jsonrpc":"2.0","id":"r","method":"session/resume","params":{"sessionId":"s1","cwd":"/w"}}`)
		one.say(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"load"}}`)
		s.agent.awaitCall("$/cancel_request")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32800,"message":"Request cancelled"}}`, load)
		one.expect(`{"jsonrpc":"2.0","id":"load","error":{"code":-32800,"message":"Request cancelled"}}`)
		load, _ = s.agent.awaitCall("session/load")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, load)
		two.expect(`{"jsonrpc":"2.0","id":"r","result":{}}`)
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

// A fork at a cursor has the history that the source has for it. Clients that don't know
// cursors are not told about any.
func TestForkAtACursorLoadsTheHistoryOfThatPoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		other, one := s.join("other"), s.client()
		one.say(strings.Replace(hello, `"clientCapabilities":{`, `"clientCapabilities":{"session":{"cursors":{}},`, 1), "one")
		one.hear()
		s.open(one)
		s.load(other)
		cursor := `{"sessionUpdate":"cursor_update","cursorId":"c","capabilities":{"fork":{}},"anchor":{"type":"user_message","messageId":"m","position":"before"}}`
		one.say("%s", strings.Replace(prompt, `"params":{`, `"params":{"_meta":{"turnwire.dev/messageId":"m"},`, 1))
		turn, params := s.agent.awaitCall("session/prompt")
		require.Equal(t, map[string]any{"turnwire.dev/messageId": "m"}, params["_meta"])
		other.expect(update(strings.Replace(prompted, `"random"`, `"m"`, 1)))
		s.agent.say("%s", update(cursor))
		s.agent.say("%s", update(text("later")))
		one.expect(update(cursor))
		one.expect(update(text("later")))
		other.expect(update(text("later")))

		one.say(`{"jsonrpc":"2.0","id":"fork","method":"session/fork","params":{"sessionId":"s1","cursorId":"c","cwd":"/w"}}`)
		id, params := s.agent.awaitCall("session/fork")
		require.Equal(t, "c", params["cursorId"])
		inFork := func(update string) string { return strings.Replace(update, `"s1"`, `"s2"`, 1) }
		s.agent.say("%s", inFork(update(text("repeated"))))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s2","modes":{"currentModeId":"m","availableModes":[]}}}`, id)
		load, params := s.agent.awaitCall("session/load")
		require.Equal(t, map[string]any{"sessionId": "s2", "cwd": "/w", "mcpServers": []any{}}, params)
		s.agent.say("%s", inFork(update(text("of that point"))))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, load)
		one.expect(`{"jsonrpc":"2.0","id":"fork","result":{"sessionId":"s2","modes":{"currentModeId":"m","availableModes":[]}}}`)
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, turn)
		one.expect(`{"jsonrpc":"2.0","id":"p","result":{"stopReason":"end_turn"}}`)

		for _, client := range []*peer{one, other} {
			client.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s2","cwd":"/w","mcpServers":[]}}`)
			client.expect(inFork(update(text("of that point"))))
			client.expect(`{"jsonrpc":"2.0","id":"load","result":{}}`)
		}
		one.say(`{"jsonrpc":"2.0","id":"again","method":"session/fork","params":{"sessionId":"s1","cursorId":7,"cwd":"/w"}}`)
		id, _ = s.agent.awaitCall("session/fork")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no"}}`, id)
		one.expect(`{"jsonrpc":"2.0","id":"again","error":{"code":-32602,"message":"no"}}`)
	})
}

// Turnwire's own session/fork is unstable, so it is offered only to clients that want it.
func TestForkIsOfferedToClientsThatWantIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const of = `{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"fork":{},"list":{}},"_meta":%s}}`
		for meta, offered := range map[string]bool{`{"turnwire.dev/fork":true,"more":1}`: false, `{"more":1}`: true} {
			s := newStage(t)
			one := s.client()
			one.say(hello, "one")
			s.agent = <-s.came
			initialize, params := s.agent.awaitCall("initialize")
			require.Equal(t, true, params["clientCapabilities"].(map[string]any)["_meta"].(map[string]any)["turnwire.dev/fork"])
			s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, initialize, fmt.Sprintf(of, meta))
			answer := one.hear()
			require.Equal(t, offered, strings.Contains(answer, `"fork":{}`), answer)
			require.Contains(t, answer, `"more":1`)
			require.NotContains(t, answer, "turnwire.dev/fork")
			two := s.client()
			two.say(strings.Replace(hello, `"clientCapabilities":{`, `"clientCapabilities":{"_meta":{"turnwire.dev/fork":true},`, 1), "two")
			require.Contains(t, two.hear(), `"fork":{}`)
		}
	})
}
