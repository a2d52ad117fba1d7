package hub_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/hub"
)

// twoServers returns the stage of the server that has the session s1, and that of a
// server that reaches it there.
func twoServers(t *testing.T) (has, reaches *stage) {
	has = newStage(t)
	reaches = newStageWithPeers(t, func(context.Context, string) (*hub.Peer, error) {
		return &hub.Peer{Server: "has", Serve: func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
			return serve(ctx, has.hub, hub.Client{Peer: true}, in, out)
		}}, nil
	})
	return has, reaches
}

func TestAnotherServersSessionIsOpenToAllClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		has, reaches := twoServers(t)
		one := has.join("one")
		has.open(one)
		has.agent.say("%s", update(text("before ")))
		one.expect(update(text("before ")))
		two, three := reaches.join("two"), reaches.join("three")
		reaches.load(two, text("before "))
		reaches.load(three, text("before "))

		three.say(prompt)
		one.expect(update(prompted))
		two.expect(update(prompted))
		turn, _ := has.agent.awaitCall("session/prompt")
		has.agent.say("%s", update(text("piece")))
		has.agent.say(permission, `7`)
		var last string
		for _, p := range []*peer{one, two, three} {
			p.expect(update(text("piece")))
			last = p.expect(fmt.Sprintf(permission, `"*"`))
		}
		three.say(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`, last)
		has.agent.expect(`{"jsonrpc":"2.0","id":7,"result":{"_meta":{"turnwire.dev/answeredBy":{"client":"client-2","name":"three"}},"outcome":{"outcome":"selected","optionId":"yes"}}}`)
		one.awaitCall("$/cancel_request")
		two.awaitCall("$/cancel_request")
		two.say(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`)
		has.agent.awaitCall("session/cancel")
		has.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"cancelled"}}`, turn)
		three.expect(`{"jsonrpc":"2.0","id":"p","result":{"stopReason":"cancelled"}}`)

		// A client that closes the session does not detach others.
		two.say(`{"jsonrpc":"2.0","id":"close","method":"session/close","params":{"sessionId":"s1"}}`)
		two.expect(`{"jsonrpc":"2.0","id":"close","result":{}}`)
		three.say(`{"jsonrpc":"2.0","id":"close","method":"session/close","params":{"sessionId":"s1"}}`)
		three.expect(`{"jsonrpc":"2.0","id":"close","result":{}}`)
		has.agent.say("%s", update(text("more")))
		one.expect(update(text("more")))
		require.Len(t, has.hub.Sessions()[0].Clients, 1)
	})
}

// A client that only follows the session sees the rest of a turn after the last client that
// controls the session on its server closed it.
func TestAClosedSessionStaysForThoseWhoFollowItFromAnotherServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		has, reaches := twoServers(t)
		one, two := has.join("one"), reaches.join("two")
		has.open(one)
		reaches.load(two)
		three := reaches.clientFrom(t, consent.Client{Watches: true})
		three.say(hello, "three")
		three.hear()
		three.say(`{"jsonrpc":"2.0","id":"a","method":"session/attach","params":{"sessionId":"s1","historyPolicy":"none"}}`)
		three.hear()
		one.say(prompt)
		two.expect(update(prompted))
		three.awaitCall("session/update") // who sent the prompt
		three.expect(update(prompted))

		two.say(`{"jsonrpc":"2.0","id":"close","method":"session/close","params":{"sessionId":"s1"}}`)
		two.expect(`{"jsonrpc":"2.0","id":"close","result":{}}`)
		three.awaitCall("session/update") // two has left
		has.agent.awaitCall("session/prompt")
		has.agent.say("%s", update(text("the rest")))
		three.expect(update(text("the rest")))
		one.expect(update(text("the rest")))
		require.Len(t, reaches.hub.Sessions()[0].Clients, 1)

		one.say(`{"jsonrpc":"2.0","id":"detach","method":"session/detach","params":{"sessionId":"s1"}}`)
		one.hear()
		reaches.load(two, prompted, text("the rest"))
		two.say(`{"jsonrpc":"2.0","id":"close","method":"session/close","params":{"sessionId":"s1"}}`)
		has.agent.awaitCall("session/close") // nobody else controls it
	})
}

const endNotice = `\n\n> ⚠ This session ended here: the server closed it; open it again to continue\n\n`

func TestADeletedSessionIsGoneOnAllServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		has, reaches := twoServers(t)
		one, two := has.join("one"), reaches.join("two")
		has.open(one)
		reaches.load(two)
		one.say(`{"jsonrpc":"2.0","id":"delete","method":"session/delete","params":{"sessionId":"s1"}}`)
		id, _ := has.agent.awaitCall("session/delete")
		has.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		two.expect(update(text(endNotice)))
		require.Empty(t, reaches.hub.Sessions())
	})
}

func TestTheEndOfAServerEndsItsSessionsElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		has, reaches := twoServers(t)
		one, two := has.join("one"), reaches.join("two")
		has.open(one)
		reaches.load(two)
		two.say(prompt)
		has.agent.awaitCall("session/prompt")
		has.agent.say("%s", update(text("piece")))
		two.expect(update(text("piece")))
		has.hub.Close()
		lines := two.hear() + two.hear()
		require.Contains(t, lines, "open it again to continue")
		require.Contains(t, lines, `"id":"p","`)
		require.Empty(t, reaches.hub.Sessions())
	})
}

// Two servers that each take the other for the owner do not wait for each other.
func TestServersDoNotForwardInACircle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stages [2]*stage
		for i := range stages {
			stages[i] = newStageWithPeers(t, func(context.Context, string) (*hub.Peer, error) {
				return &hub.Peer{Server: "other", Serve: func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
					return serve(ctx, stages[1-i].hub, hub.Client{Peer: true}, in, out)
				}}, nil
			})
		}
		one := stages[0].join("one")
		stages[1].join("two")
		one.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		one.expectError(`"load"`, -32600, "the session s1 is no longer on this server")
	})
}

// A client that wants to know about the others learns what those of another server do.
func TestTurnsOfAnotherServersClientsAreShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		has, reaches := twoServers(t)
		one, two := has.join("one"), reaches.join("two")
		has.open(one)
		reaches.load(two)
		one.say(prompt)
		turn, _ := has.agent.awaitCall("session/prompt")
		two.expect(update(prompted))
		two.say(`{"jsonrpc":"2.0","id":"a","method":"session/attach","params":{"sessionId":"s1","historyPolicy":"none"}}`)
		require.Contains(t, two.hear(), `"turnwire.dev/turns":1`)
		has.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, turn)
		two.expect(update(`{"sessionUpdate":"turn_complete","stopReason":"end_turn","sentBy":{"clientId":"client-1@has","name":"one","role":"controller"}}`))

		two.say(`{"jsonrpc":"2.0","id":"q","method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"x"}]}}`)
		turn, _ = has.agent.awaitCall("session/prompt")
		has.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, turn)
		two.expect(update(`{"sessionUpdate":"prompt_received","blocks":1,"sentBy":{"clientId":"client-1","name":"two","role":"controller"}}`))
		two.expect(update(`{"sessionUpdate":"turn_complete","stopReason":"end_turn","sentBy":{"clientId":"client-1","name":"two","role":"controller"}}`))
	})
}

// Clients are told that the session ended before their prompts fail with that reason.
func TestALostConnectionToAServerEndsItsSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		has, cut := newStage(t), make(chan struct{})
		reaches := newStageWithPeers(t, func(context.Context, string) (*hub.Peer, error) {
			return &hub.Peer{Server: "has", Serve: func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
				served := make(chan error, 1)
				go func() { served <- serve(ctx, has.hub, hub.Client{Peer: true}, in, out) }()
				select {
				case err := <-served:
					return err
				case <-cut:
					return errors.New("it is lost")
				}
			}}, nil
		})
		one, two := has.join("one"), reaches.join("two")
		has.open(one)
		reaches.load(two)
		two.say(prompt)
		has.agent.awaitCall("session/prompt")
		close(cut)
		two.expect(update(text(endNotice)))
		two.expectError(`"p"`, -32603, "the session ended here: the server closed it; open it again to continue")
	})
}
