package hub_test

import (
	"testing"
	"testing/synctest"
)

// A client that takes no boolean options gets choices, and its choice is a boolean for the agent.
func TestClientsWithoutBooleanOptionsChoose(t *testing.T) {
	const (
		able    = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"session":{"configOptions":{"boolean":{}}}}}}`
		fastOff = `{"id":"fast","name":"Fast","type":"boolean","currentValue":false}`
		fastOn  = `{"id":"fast","name":"Fast","type":"boolean","currentValue":true}`
		model   = `{"id":"model","name":"Model","type":"select","currentValue":"m","options":[{"value":"m","name":"M"}]}`
		either  = `"options":[{"value":"on","name":"On"},{"value":"off","name":"Off"}]`
		off     = `{"id":"fast","name":"Fast","type":"select","currentValue":"off",` + either + `}`
		on      = `{"id":"fast","name":"Fast","type":"select","currentValue":"on",` + either + `}`
	)
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.client()
		one.say(`{"jsonrpc":"2.0","id":"new","method":"session/new","params":{"cwd":"/w","mcpServers":[]}}`)
		id, _ := s.agent.awaitCall("session/new")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s1","configOptions":[`+fastOff+`,`+model+`]}}`, id)
		one.expect(`{"jsonrpc":"2.0","id":"new","result":{"sessionId":"s1","configOptions":[` + off + `,` + model + `]}}`)
		two.say(able)
		two.hear()
		two.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		two.expect(`{"jsonrpc":"2.0","id":"load","result":{"configOptions":[` + fastOff + `,` + model + `]}}`)

		s.agent.say("%s", update(`{"sessionUpdate":"config_option_update","configOptions":[`+fastOn+`]}`))
		one.expect(update(`{"sessionUpdate":"config_option_update","configOptions":[` + on + `]}`))
		two.expect(update(`{"sessionUpdate":"config_option_update","configOptions":[` + fastOn + `]}`))

		one.say(`{"jsonrpc":"2.0","id":"set","method":"session/set_config_option","params":{"sessionId":"s1","configId":"fast","value":"off"}}`)
		set := s.agent.expect(`{"jsonrpc":"2.0","id":"*","method":"session/set_config_option","params":{"sessionId":"s1","configId":"fast","type":"boolean","value":false}}`)
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"configOptions":[`+fastOff+`]}}`, set)
		one.expect(`{"jsonrpc":"2.0","id":"set","result":{"configOptions":[` + off + `]}}`)
		two.expect(update(`{"sessionUpdate":"config_option_update","configOptions":[` + fastOff + `]}`))
	})
}
