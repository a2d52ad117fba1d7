package hub_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/hub"
)

const (
	question = `{"jsonrpc":"2.0","id":%s,"method":"_vendor/ask","params":{"what":"x"}}`
	withdraw = `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":%s}}`
	unknown  = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}`
	fine     = `{"jsonrpc":"2.0","id":%s,"result":{"ok":true}}`
	nobody   = "no client is connected to answer _vendor/ask"
)

// asked expects the question, and returns its id.
func (p *peer) asked() (id string) {
	p.t.Helper()
	return p.expect(fmt.Sprintf(question, `"*"`))
}

func TestARequestWithoutASessionGoesToAllClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two, three := s.join("one"), s.join("two"), s.join("three")
		s.open(one)
		s.agent.say("%s", update(text("before")))
		s.agent.say(question, "7")
		s.agent.say("%s", update(text("after")))
		one.expect(update(text("before")))
		first, second, third := one.asked(), two.asked(), three.asked()
		one.expect(update(text("after")))
		one.say(unknown, first) // the others may still answer
		two.say(fine, second)
		s.agent.expect(fmt.Sprintf(fine, "7"))
		three.expect(fmt.Sprintf(withdraw, third))
		two.say(fine, second) // again
		three.say(fine, third)
		one.say(prompt)
		s.agent.awaitCall("session/prompt") // nothing else came
	})
}

func TestARequestThatNoClientKnowsGetsTheLastError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.agent.say(question, "7")
		one.say(unknown, one.asked())
		two.say(unknown, two.asked())
		s.agent.expect(fmt.Sprintf(unknown, "7"))
	})
}

func TestARequestWithoutASessionOutlivesAClientThatLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.agent.say(question, "7")
		one.asked()
		answer := two.asked()
		require.NoError(t, one.out.Close())
		synctest.Wait()
		two.say(fine, answer)
		s.agent.expect(fmt.Sprintf(fine, "7"))
		s.agent.say(question, "8")
		two.asked()
		require.NoError(t, two.out.Close())
		s.agent.expectError("8", -32603, "the client disconnected")
		s.agent.say(question, "9")
		s.agent.expectError("9", -32601, nobody)
	})
}

func TestOnlyClientsThatMayAnswerGetARequestWithoutASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		observer := s.join("observer")
		observer.say(`{"jsonrpc":"2.0","id":1,"method":"session/attach","params":{"sessionId":"s1","role":"observer","historyPolicy":"none"}}`)
		observer.hear()
		others := []*peer{observer, s.clientFrom(t, consent.Client{})}
		for _, c := range []hub.Client{{From: consent.Client{Token: "t", Watches: true}}, {Peer: true}, {Host: true}} {
			p := s.connect(t, c)
			p.say(hello, "other")
			p.hear()
			others = append(others, p)
		}
		s.agent.say(question, "7")
		one.say(fine, one.asked())
		s.agent.expect(fmt.Sprintf(fine, "7"))
		require.NoError(t, one.out.Close())
		synctest.Wait()
		s.agent.say(question, "8")
		s.agent.expectError("8", -32601, nobody)
		synctest.Wait()
		for _, p := range others {
			for len(p.lines) > 0 {
				require.NotContains(t, p.hear(), "_vendor/ask")
			}
		}
	})
}

func TestAPermissionWithoutASessionIsOfferedToNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.agent.say(strings.Replace(permission, `"sessionId":"s1",`, "", 1), "7")
		s.agent.expectError("7", -32601, "no client is connected to answer session/request_permission")
		synctest.Wait()
		require.Empty(t, one.lines)
	})
}

func TestTheAgentWithdrawsARequestWithoutASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.agent.say(question, "7")
		asked := one.asked()
		s.agent.say(withdraw, "7")
		one.expect(fmt.Sprintf(withdraw, asked))
		s.agent.expectError("7", -32800, "the request was withdrawn")
		s.agent.say(question, "8")
		asked = one.asked()
		require.NoError(t, s.agent.out.Close())
		one.expect(fmt.Sprintf(withdraw, asked))
		one.say(fine, asked) // too late
		synctest.Wait()
		require.Empty(t, one.lines)
	})
}

func TestAFormThatItsClientCannotShowFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		one.say(`{"jsonrpc":"2.0","id":1,"method":"authenticate","params":{"methodId":"m"}}`)
		id, _ := s.agent.awaitCall("authenticate")
		s.agent.say(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"requestId":%s,"mode":"url","message":"Log in","url":"https://example.com"}}`, id)
		s.agent.expectError(`"q"`, -32601, "no client can show elicitation/create")
	})
}
