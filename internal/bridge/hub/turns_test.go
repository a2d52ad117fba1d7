package hub_test

import (
	"testing"
	"testing/synctest"
)

// A client that shows other clients' turns learns how many are running when it joins,
// and when each ends.
func TestClientsThatShowOthersTurnsAreNotified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		one.say(prompt)
		id, _ := s.agent.awaitCall("session/prompt")
		page := s.client()
		page.say(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"page","version":"1"},"clientCapabilities":{"_meta":{"turnwire.dev/turns":true}}}}`)
		page.hear()
		const load = `{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`
		loaded := func(running string) {
			t.Helper()
			page.expect(`{"jsonrpc":"2.0","id":"load","result":{"modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"b","name":"B"}]},"_meta":{"turnwire.dev/turns":` + running + `}}}`)
		}
		page.say(load)
		page.expect(update(`{"sessionUpdate":"prompt_received","blocks":1,"sentBy":{"clientId":"client-1","name":"one","role":"controller"}}`))
		page.expect(update(prompted))
		loaded("1")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, id)
		page.expect(update(`{"sessionUpdate":"turn_complete","sentBy":{"clientId":"client-1","name":"one","role":"controller"},"stopReason":"end_turn"}`))
		one.expect(`{"jsonrpc":"2.0","id":"p","result":{"stopReason":"end_turn"}}`)
		page.say(load)
		for range 3 {
			page.awaitCall("session/update")
		}
		loaded("0")
	})
}
