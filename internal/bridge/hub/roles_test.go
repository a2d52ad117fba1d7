package hub_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/hub"
)

// forbidden are the requests that change a session.
var forbidden = []string{
	`"session/prompt","params":{"sessionId":"s1","prompt":[]}`,
	`"session/close","params":{"sessionId":"s1"}`,
	`"session/delete","params":{"sessionId":"s1"}`,
	`"session/set_mode","params":{"sessionId":"s1","modeId":"b"}`,
	`"session/set_title","params":{"sessionId":"s1","title":"mine"}`,
	`"_vendor/anything","params":{"sessionId":"s1"}`,
}

// forbids requires all of them to fail, and none to reach the agent.
func (s *stage) forbids(p *peer, why string) {
	s.t.Helper()
	for i, request := range forbidden {
		p.say(`{"jsonrpc":"2.0","id":%d,"method":%s}`, 100+i, request)
		p.expectError(strconv.Itoa(100+i), -32600, why)
	}
	p.say(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`)
	synctest.Wait()
	require.Empty(s.t, s.agent.lines)
}

const watches = `{"jsonrpc":"2.0","id":"watch","method":"session/attach","params":{"sessionId":"s1","role":"observer","historyPolicy":"none"}}`

func TestAnObserverCannotRaiseItsRole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		two.say(watches)
		require.Contains(t, two.hear(), `"role":"observer"`)
		s.forbids(two, "observers cannot do that")
		s.load(two)
		s.forbids(two, "observers cannot do that")
		two.say(`{"jsonrpc":"2.0","id":1,"method":"session/attach","params":{"sessionId":"s1","role":"controller","historyPolicy":"none"}}`)
		require.Contains(t, two.hear(), `"name":"two","role":"observer"`)
		s.forbids(two, "observers cannot do that")
		two.say(`{"jsonrpc":"2.0","id":2,"method":"session/detach","params":{"sessionId":"s1"}}`)
		two.hear()
		s.forbids(two, "observers cannot do that")
		s.agent.say(permission, `7`)
		one.hear()
		synctest.Wait()
		require.Empty(t, two.lines, "it is asked nothing")
	})
}

func TestAClientThatIsLoadingASessionCanBecomeAnObserver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		one.say(`{"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		load, _ := s.agent.awaitCall("session/load")
		one.say(watches)
		one.expectError(`"watch"`, -32002, "the session is not open; session/load opens a closed one")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, load)
		one.expect(`{"jsonrpc":"2.0","id":2,"result":{}}`)
		s.forbids(one, "observers cannot do that")
		two.say(`{"jsonrpc":"2.0","id":3,"method":"session/attach","params":{"sessionId":"s1","historyPolicy":"none"}}`)
		two.hear()
		s.agent.say(permission, `7`)
		two.hear()
		synctest.Wait()
		require.Empty(t, one.lines, "it is asked nothing")
	})
}

func TestUnattachedClientsCannotChangeASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		s.forbids(two, "load, resume or attach the session s1 first")
	})
}

func TestAWatchingTokenOpensAndChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		two := s.clientFrom(s.t, consent.Client{Token: "wall", Watches: true})
		two.say(hello, "wall")
		two.hear()
		for i, request := range append([]string{
			`"session/new","params":{"cwd":"/w","mcpServers":[]}`,
			`"session/load","params":{"sessionId":"other","cwd":"/w","mcpServers":[]}`,
			`"session/resume","params":{"sessionId":"other","cwd":"/w"}`,
			`"session/fork","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}`,
			`"authenticate","params":{"methodId":"x"}`,
		}, forbidden...) {
			two.say(`{"jsonrpc":"2.0","id":%d,"method":%s}`, i, request)
			two.expectError(strconv.Itoa(i), -32600, "the token wall can only watch open sessions")
		}
		s.load(two)
		s.agent.say("%s", update(text("seen")))
		two.expect(update(text("seen")))
		two.say(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`)
		s.agent.say(permission, `7`)
		one.expect(update(text("seen")))
		one.hear()
		synctest.Wait()
		require.Empty(t, two.lines)
		require.Empty(t, s.agent.lines)
	})
}

// A watching token sees the open sessions, not the saved ones that the agent lists.
func TestAWatchingTokenListsOpenSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		s.agent.say("%s", update(`{"sessionUpdate":"session_info_update","title":"Tea"}`))
		one.hear()
		two := s.clientFrom(s.t, consent.Client{Token: "wall", Watches: true})
		two.say(hello, "wall")
		two.hear()
		two.say(`{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}`)
		two.expect(`{"jsonrpc":"2.0","id":1,"result":{"sessions":[{"sessionId":"s1","cwd":"/w","title":"Tea"}]}}`)
		two.say(`{"jsonrpc":"2.0","id":2,"method":"session/list","params":{"cwd":"/elsewhere"}}`)
		two.expect(`{"jsonrpc":"2.0","id":2,"result":{"sessions":[]}}`)
		require.Empty(t, s.agent.lines)
	})
}

func TestClosingEndsASessionDespiteObservers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		two.say(watches)
		two.hear()
		host := s.connect(s.t, hub.Client{Host: true})
		host.say(hello, "host")
		host.hear()
		s.load(host)
		one.say(`{"jsonrpc":"2.0","id":9,"method":"session/close","params":{"sessionId":"s1"}}`)
		id, _ := s.agent.awaitCall("session/close")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		one.expect(`{"jsonrpc":"2.0","id":9,"result":{}}`)
		require.Contains(t, two.hear(), "This session ended here: it was closed")
		host.expect(`{"jsonrpc":"2.0","method":"_turnwire/session_ended","params":{"sessionId":"s1"}}`)
		require.Empty(t, s.hub.Sessions())
	})
}

// The agent deletes a session whether it is open or not, so only its answer counts.
func TestClosingDoesNotAnswerADelete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		one.say(`{"jsonrpc":"2.0","id":"close","method":"session/close","params":{"sessionId":"s1"}}`)
		closing, _ := s.agent.awaitCall("session/close")
		s.load(two)
		two.say(`{"jsonrpc":"2.0","id":"delete","method":"session/delete","params":{"sessionId":"s1"}}`)
		deleting, _ := s.agent.awaitCall("session/delete")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, closing)
		require.Contains(t, two.hear(), "This session ended here: it was closed")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, deleting)
		two.expect(`{"jsonrpc":"2.0","id":"delete","result":{}}`)
	})
}

// A client that repeatedly requests a long history and never reads it is disconnected
// before it uses up the memory.
func TestAClientThatDoesNotReadHistoriesIsDisconnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		long := strings.Repeat("x", 1<<20)
		for i := range 15 {
			body := fmt.Sprintf(`{"sessionUpdate":"agent_message_chunk","messageId":"m%d","content":{"type":"text","text":%q}}`, i, long)
			s.agent.say("%s", update(body))
			one.hear()
		}
		two := s.slow("two")
		for i := range 400 {
			if _, err := fmt.Fprintf(two.out, `{"jsonrpc":"2.0","id":%d,"method":"session/attach","params":{"sessionId":"s1","historyPolicy":"full"}}`+"\n", i); err != nil {
				break // it is disconnected
			}
		}
		synctest.Wait()
		require.Equal(t, []string{"one"}, s.hub.Sessions()[0].Clients)
	})
}

func TestAnAnswerIsNamedAfterItsToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		phone := s.clientFrom(s.t, consent.Client{Token: "phone"})
		phone.say(hello, "a browser")
		phone.hear()
		s.load(phone)
		one.say(`{"jsonrpc":"2.0","id":1,"method":"session/attach","params":{"sessionId":"s1","role":"controller","historyPolicy":"none"}}`)
		one.hear()
		s.agent.say(permission, `7`)
		one.hear()
		request := phone.expect(fmt.Sprintf(permission, `"*"`))
		phone.say(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`, request)
		one.expect(update(`{"sessionUpdate":"permission_resolved","toolCallId":"c","outcome":"selected","optionId":"yes","resolvedBy":{"clientId":"client-2","name":"phone","role":"controller"}}`))
	})
}
