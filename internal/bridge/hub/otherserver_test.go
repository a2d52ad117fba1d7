package hub_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/hub"
)

func TestAnotherServersSessionIsNotOpened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		has, wanted := make(chan error), make(chan string, 2)
		s := newStageWithPeers(t, func(_ context.Context, id string) (*hub.Peer, error) {
			wanted <- id
			return nil, <-has
		})
		one := s.join("one")
		one.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		one.say(`{"jsonrpc":"2.0","id":"list","method":"session/list","params":{}}`)
		s.agent.awaitCall("session/list") // only requests for that session wait for the other server
		has <- errors.New("it is open at b")
		one.expectError(`"load"`, -32600, "it is open at b")
		one.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		has <- nil
		require.Equal(t, "s1", <-wanted)
		require.Equal(t, "s1", <-wanted)
		id, _ := s.agent.awaitCall("session/load")
		s.agent.say("%s", update(text("before")))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		one.expect(update(text("before")))
		one.expect(`{"jsonrpc":"2.0","id":"load","result":{}}`)
	})
}

// All clients are notified in order, and no earlier request can be answered.
func TestASessionThatIsEndedSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		s.load(two)
		one.say(prompt)
		two.expect(update(prompted))
		id, _ := s.agent.awaitCall("session/prompt")
		s.agent.say("%s", update(text("a piece ")))
		s.agent.say("%s", fmt.Sprintf(permission, `"ask"`))
		for _, p := range []*peer{one, two} {
			p.expect(update(text("a piece ")))
			p.expect(fmt.Sprintf(permission, `"*"`))
		}
		s.hub.End("s1", errors.New("b has it"))
		s.hub.End("s1", errors.New("twice"))
		s.hub.End("nothing", errors.New("unknown"))
		for _, p := range []*peer{one, two} {
			p.expect(update(text(`\n\n> ⚠ This session ended here: b has it\n\n`)))
		}
		one.expectError(`"p"`, -32603, "the session ended here: b has it")
		for _, p := range []*peer{one, two} {
			_, params := p.awaitCall("$/cancel_request")
			require.Contains(t, params, "requestId")
		}
		s.agent.awaitCall("session/cancel")
		closing, _ := s.agent.awaitCall("session/close")
		one.say(`{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`) // it does not reach the agent
		s.agent.say("%s", update(text("too late")))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"cancelled"}}`, id)
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, closing)
		one.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		id, _ = s.agent.awaitCall("session/load")
		s.agent.say("%s", update(text("whole")))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		one.expect(update(text("whole")))
		one.expect(`{"jsonrpc":"2.0","id":"load","result":{}}`)
	})
}
