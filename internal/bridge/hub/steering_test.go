package hub_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/consent"
)

const (
	steer    = `{"jsonrpc":"2.0","id":"s","method":"_session/steering","params":{"sessionId":"s1","prompt":[{"type":"text","text":"salt"}]}}`
	steerOwn = `{"jsonrpc":"2.0","id":"s","method":"_session/steering","params":{"sessionId":"s1","prompt":[{"type":"text","text":"salt"}],"_meta":{"steering":{"idleBehavior":"promptRequired"}}}}`
	steered  = `{"sessionUpdate":"user_message_chunk","messageId":"random","content":{"type":"text","text":"salt"}}`
)

// answer writes the agent's response to a request.
func (s *stage) answer(id, result string) {
	s.t.Helper()
	s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

func TestAMessageDuringATurnIsShownToTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		s.load(two)
		one.say(prompt)
		turn, _ := s.agent.awaitCall("session/prompt")
		two.expect(update(prompted))
		two.say(steer)
		id, params := s.agent.awaitCall("_session/steering")
		require.Equal(t, map[string]any{"steering": map[string]any{"idleBehavior": "promptRequired"}}, params["_meta"])
		s.agent.say("%s", update(text("before")))
		s.answer(id, `{"outcome":"injected"}`)
		s.agent.say("%s", update(text("after")))
		s.answer(turn, `{"stopReason":"end_turn"}`)
		one.expect(update(text("before")))
		one.expect(update(steered))
		one.expect(update(text("after")))
		one.expect(`{"jsonrpc":"2.0","id":"p","result":{"stopReason":"end_turn"}}`)
		two.expect(update(text("before")))
		two.expect(`{"jsonrpc":"2.0","id":"s","result":{"outcome":"injected"}}`)
		two.expect(update(text("after")))
		s.load(s.join("three"), prompted, text("before"), steered, text("after"))
	})
}

func TestAMessageWithoutATurnBecomesAPromptOfTheHub(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		s.load(two)
		one.say(steer)
		id, _ := s.agent.awaitCall("_session/steering")
		s.answer(id, `{"outcome":"promptRequired","reason":"noRunningTurn"}`)
		one.expect(`{"jsonrpc":"2.0","id":"s","result":{"outcome":"startedNewTurn"}}`)
		two.expect(update(steered))
		id, params := s.agent.awaitCall("session/prompt")
		require.NotContains(t, params, "_meta")
		require.True(t, s.hub.Sessions()[0].Running)
		s.answer(id, `{"stopReason":"end_turn"}`)
		s.agent.say("%s", update(text("done")))
		two.expect(update(text("done")))
		require.False(t, s.hub.Sessions()[0].Running)
	})
}

func TestAMessageThatItsClientOwnsGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		one.say(steerOwn)
		id, _ := s.agent.awaitCall("_session/steering")
		s.answer(id, `{"outcome":"promptRequired","reason":"noRunningTurn"}`)
		one.expect(`{"jsonrpc":"2.0","id":"s","result":{"outcome":"promptRequired","reason":"noRunningTurn"}}`)
		one.say(steerOwn)
		id, _ = s.agent.awaitCall("_session/steering")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32800,"message":"cancelled"}}`, id)
		one.expect(`{"jsonrpc":"2.0","id":"s","error":{"code":-32800,"message":"cancelled"}}`)
	})
}

func TestALaterClientLearnsThatTheAgentCanBeSteered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		const late = `{"sessionUpdate":"session_info_update","_meta":{"steering":{"supported":true}}}`
		s.agent.say("%s", update(late))
		one.expect(update(late))
		two := s.join("two")
		two.say(`{"jsonrpc":"2.0","id":"load","method":"session/resume","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		two.expect(`{"jsonrpc":"2.0","id":"load","result":{"modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"b","name":"B"}]},"_meta":{"steering":{"supported":true}}}}`)
	})
}

func TestObserversCannotSteer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		watcher := s.clientFrom(t, consent.Client{Token: "t", Watches: true})
		watcher.say(hello, "watcher")
		watcher.hear()
		s.load(watcher)
		watcher.say(steer)
		watcher.expectError(`"s"`, -32600, "the token t can only watch open sessions")
		one.say(`{"jsonrpc":"2.0","id":"a","method":"session/attach","params":{"sessionId":"s1","role":"observer"}}`)
		one.hear()
		one.say(steer)
		one.expectError(`"s"`, -32600, "observers cannot do that")
		s.join("two").say(steer)
	})
}

func TestSteeringNeedsAnOpenSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		one.say(steer)
		one.expectError(`"s"`, -32002, `unknown session "s1": load, resume or attach it first`)
	})
}
