package hub_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestATurnIsSeenByAllInOneOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		s.load(two)
		one.say(prompt)
		two.expect(update(prompted))
		id, _ := s.agent.awaitCall("session/prompt")
		var whole strings.Builder
		for i := range 1000 {
			s.agent.say("%s", update(text(fmt.Sprint(i, " "))))
			fmt.Fprint(&whole, i, " ")
		}
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, id)
		one.expectText(whole.String())
		two.expectText(whole.String())
		one.expect(`{"jsonrpc":"2.0","id":"p","result":{"stopReason":"end_turn"}}`)
	})
}

func TestADisconnectingClientEndsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		one.say(prompt)
		id, _ := s.agent.awaitCall("session/prompt")
		s.agent.say("%s", update(text("first ")))
		one.expect(update(text("first ")))
		require.NoError(t, one.out.Close())
		synctest.Wait()
		require.Empty(t, s.hub.Sessions()[0].Clients)
		require.True(t, s.hub.Sessions()[0].Running)
		s.agent.say("%s", update(text("second")))
		s.agent.say("%s", fmt.Sprintf(permission, `"ask"`))

		again := s.join("one again")
		s.load(again, prompted, text("first second"))
		request := again.expect(fmt.Sprintf(permission, `"*"`))
		again.say(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`, request)
		s.agent.expect(`{"jsonrpc":"2.0","id":"ask","result":{"_meta":{"turnwire.dev/answeredBy":{"client":"client-2","name":"one again"}},"outcome":{"outcome":"selected","optionId":"yes"}}}`)
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, id)
		s.agent.say("%s", update(text("after")))
		again.expect(update(text("after")))
		require.False(t, s.hub.Sessions()[0].Running)
	})
}

func TestTheFirstAnswerCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		s.load(two)
		s.agent.say("%s", update(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t"}`))
		s.agent.say(permission, `7`)
		for _, p := range []*peer{one, two} {
			p.expect(update(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t"}`))
		}
		first, second := one.expect(fmt.Sprintf(permission, `"*"`)), two.expect(fmt.Sprintf(permission, `"*"`))
		two.say(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`, second)
		s.agent.expect(`{"jsonrpc":"2.0","id":7,"result":{"_meta":{"turnwire.dev/answeredBy":{"client":"client-2","name":"two"}},"outcome":{"outcome":"selected","optionId":"yes"}}}`)
		one.expect(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + first + `}}`)
		one.say(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"cancelled"}}}`, first) // too late
		one.say(prompt)
		s.agent.awaitCall("session/prompt")
	})
}

func TestAClientCannotClaimThatAnotherAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, meta := range []string{
			`"_meta":{"turnwire.dev/answeredBy":{"token":"boss"},"own":1}`,
			`"_meta":{"turnwire.dev\u002fansweredBy":{"token":"boss"},"own":1}`,
			`"_meta":{"turnwire.dev/answeredBy":{"token":"a"},"own":1,"turnwire.dev/answeredBy":{"token":"boss"}}`,
			`"_meta":{"turnwire.dev/answeredBy":{"token":"boss"}},"\u005fmeta":{"turnwire.dev/answeredBy":{"token":"boss"},"own":1}`,
		} {
			s := newStage(t)
			one := s.join("one")
			s.open(one)
			s.agent.say(permission, `7`)
			id := one.expect(fmt.Sprintf(permission, `"*"`))
			one.say(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"yes"},%s}}`, id, meta)
			line := s.agent.hear()
			require.NotContains(t, line, "boss")
			require.Equal(t, 1, strings.Count(line, "answeredBy"), line)
			require.Contains(t, line, `"turnwire.dev/answeredBy":{"name":"one","client":"client-1"}`)
			require.Contains(t, line, `"own":1`, "the rest of it passes")
		}
	})
}

func TestDisconnectsAndErrorsPermitNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		s.load(two)
		s.agent.say(permission, `7`)
		request := one.expect(fmt.Sprintf(permission, `"*"`))
		two.expect(fmt.Sprintf(permission, `"*"`))
		one.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no window"}}`, request)
		one.say(`{"jsonrpc":"2.0","id":"list","method":"session/list","params":{}}`)
		s.agent.awaitCall("session/list") // the error was handled before
		require.NoError(t, two.out.Close())
		synctest.Wait()
		require.Len(t, s.hub.Sessions()[0].Clients, 1)
		require.Equal(t, 1, s.hub.Sessions()[0].Waiting)
		three := s.join("three")
		s.load(three)
		request = three.expect(fmt.Sprintf(permission, `"*"`))
		three.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}`, request)
		s.agent.expect(`{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"unknown"}}`)
	})
}

func TestTheAgentWithdrawsAQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		s.agent.say(permission, `7`)
		request := one.expect(fmt.Sprintf(permission, `"*"`))
		s.agent.say(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}`)
		one.expect(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + request + `}}`)
		s.agent.expectError("7", -32800, "the request was withdrawn")
	})
}

func TestASlowClientDelaysNobodyAndGetsFoldedState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, slow := s.join("one"), s.slow("slow")
		s.open(one)
		slow.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		synctest.Wait()
		require.Len(t, s.hub.Sessions()[0].Clients, 2)
		const n = 5000
		var want strings.Builder
		for i := range n {
			piece := fmt.Sprintf("%d ", i)
			want.WriteString(piece)
			s.agent.say("%s", update(text(piece)))
			one.expect(update(text(piece)))
		}
		slow.release()
		slow.expect(`{"jsonrpc":"2.0","id":"load","result":{"modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"b","name":"B"}]}}}`)
		var got strings.Builder
		lines := 0
		for got.Len() < want.Len() {
			_, params := slow.awaitCall("session/update")
			u := params["update"].(map[string]any)
			got.WriteString(u["content"].(map[string]any)["text"].(string))
			lines++
		}
		require.Equal(t, want.String(), got.String())
		require.Less(t, lines, n/2)
	})
}

func TestOtherClientsSeeAChoice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		s.load(two)
		one.say(`{"jsonrpc":"2.0","id":1,"method":"session/set_mode","params":{"sessionId":"s1","modeId":"b"}}`)
		id, _ := s.agent.awaitCall("session/set_mode")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		one.expect(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		two.expect(update(`{"sessionUpdate":"current_mode_update","currentModeId":"b"}`))
		three := s.join("three")
		three.say(`{"jsonrpc":"2.0","id":2,"method":"session/resume","params":{"sessionId":"s1","cwd":"/w"}}`)
		three.expect(`{"jsonrpc":"2.0","id":2,"result":{"modes":{"currentModeId":"b","availableModes":[{"id":"a","name":"A"},{"id":"b","name":"B"}]}}}`)
	})
}

func TestAnObserverSeesAndDoesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		s.agent.say("%s", update(text("before")))
		one.expect(update(text("before")))
		two.say(`{"jsonrpc":"2.0","id":1,"method":"session/attach","params":{"sessionId":"s1","role":"observer","historyPolicy":"full"}}`)
		two.expect(`{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s1","clientId":"client-2","historyPolicy":"full","_meta":{"turnwire.dev/turns":0},
		"connectedClients":[{"clientId":"client-1","name":"one","role":"controller"},{"clientId":"client-2","name":"two","role":"observer"}],
		"modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"b","name":"B"}]},
		"history":[{"method":"session/update","params":{"sessionId":"s1","update":` + text("before") + `}}]}}`)
		two.say(prompt)
		two.expectError(`"p"`, -32600, "observers cannot do that")
		one.say(prompt)
		two.expect(update(`{"sessionUpdate":"prompt_received","blocks":1,"sentBy":{"clientId":"client-1","name":"one","role":"controller"}}`))
		two.expect(update(prompted))
		id, _ := s.agent.awaitCall("session/prompt")
		s.agent.say(permission, `7`)
		request := one.expect(fmt.Sprintf(permission, `"*"`))
		one.say(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`, request)
		s.agent.expect(`{"jsonrpc":"2.0","id":7,"result":{"_meta":{"turnwire.dev/answeredBy":{"client":"client-1","name":"one"}},"outcome":{"outcome":"selected","optionId":"yes"}}}`)
		two.expect(update(`{"sessionUpdate":"permission_resolved","toolCallId":"c","outcome":"selected","optionId":"yes","resolvedBy":{"clientId":"client-1","name":"one","role":"controller"}}`))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, id)
		one.expect(`{"jsonrpc":"2.0","id":"p","result":{"stopReason":"end_turn"}}`)
		two.expect(update(`{"sessionUpdate":"turn_complete","sentBy":{"clientId":"client-1","name":"one","role":"controller"},"stopReason":"end_turn"}`))
		two.say(`{"jsonrpc":"2.0","id":3,"method":"session/detach","params":{"sessionId":"s1"}}`)
		two.expect(`{"jsonrpc":"2.0","id":3,"result":{"sessionId":"s1","status":"detached"}}`)
	})
}

func TestOnlyTheLastClientsCloseEndsASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		s.load(two)
		const closing = `{"jsonrpc":"2.0","id":9,"method":"session/close","params":{"sessionId":"s1"}}`
		one.say(closing)
		one.expect(`{"jsonrpc":"2.0","id":9,"result":{}}`)
		two.say(closing)
		id, _ := s.agent.awaitCall("session/close")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		two.expect(`{"jsonrpc":"2.0","id":9,"result":{}}`)
		require.Empty(t, s.hub.Sessions())
	})
}

func TestASessionIsLoadedOnceForTwo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		const load = `{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`
		one.say(load)
		id, _ := s.agent.awaitCall("session/load")
		two.say(`{"jsonrpc":"2.0","id":"load","method":"session/resume","params":{"sessionId":"s1","cwd":"/w"}}`)
		two.say(`{"jsonrpc":"2.0","id":"list","method":"session/list","params":{}}`)
		list, _ := s.agent.awaitCall("session/list") // the earlier resume was handled
		s.agent.say("%s", update(text("past")))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"modes":null}}`, id)
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"sessions":[]}}`, list)
		one.expect(update(text("past")))
		one.expect(`{"jsonrpc":"2.0","id":"load","result":{"modes":null}}`)
		two.expect(`{"jsonrpc":"2.0","id":"load","result":{"modes":null}}`)
		two.expect(`{"jsonrpc":"2.0","id":"list","result":{"sessions":[]}}`)
	})
}

func TestTheAgentsExitIsReportedAndANewOneStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		one.say(prompt)
		s.agent.awaitCall("session/prompt")
		require.NoError(t, s.agent.out.Close())
		one.expectError(`"p"`, -32603, "the connection to the agent ended")
		require.Empty(t, s.hub.Sessions())
		s.agent = nil
		s.join("two")
	})
}

func TestFormsBecomeChoicesForClientsWithoutForms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		plain := s.client()
		plain.say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`)
		plain.hear()
		s.load(plain)
		const form = `{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"sessionId":"s1","mode":"form","message":"Which?",
		"requestedSchema":{"type":"object","properties":{"tea":{"type":"string","enum":["green","black"]}}}}}`
		s.agent.say("%s", strings.ReplaceAll(fmt.Sprintf(form, `"q"`), "\n", ""))
		asked := one.expect(fmt.Sprintf(form, `"*"`))
		request := plain.expect(`{"jsonrpc":"2.0","id":"*","method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"question-1","title":"Which?"},
		"options":[{"optionId":"green","name":"green","kind":"allow_once"},{"optionId":"black","name":"black","kind":"reject_once"}]}}`)
		plain.say(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"black"}}}`, request)
		s.agent.expect(`{"jsonrpc":"2.0","id":"q","result":{"action":"accept","content":{"tea":"black"}}}`)
		one.expect(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + asked + `}}`)
	})
}

func TestALoginQuestionEndsWithItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		one.say(`{"jsonrpc":"2.0","id":1,"method":"authenticate","params":{"methodId":"m"}}`)
		id, _ := s.agent.awaitCall("authenticate")
		s.agent.say(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"requestId":%s,"mode":"form","message":"Code?","requestedSchema":{"type":"object","properties":{}}}}`, id)
		_, params := one.awaitCall("elicitation/create")
		require.Equal(t, "Code?", params["message"])
		require.NoError(t, one.out.Close())
		s.agent.expectError(`"q"`, -32603, "the client disconnected")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		two.say(`{"jsonrpc":"2.0","id":2,"method":"_vendor/anything","params":{"sessionId":"none"}}`)
		s.agent.awaitCall("_vendor/anything") // the agent knows what to answer for a session that is not open
		s.agent.say(`{"jsonrpc":"2.0","id":"f","method":"fs/read_text_file","params":{"sessionId":"none","path":"/x"}}`)
		s.agent.expectError(`"f"`, -32601, "fs/read_text_file is not supported")
	})
}

func TestAStoppingServerDoesNotWaitForItsClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		s.hub.Close() // although nobody closes the client's input
		served := make(chan struct{})
		go func() { s.clients.Wait(); close(served) }()
		select {
		case <-served:
		case <-time.After(patience):
			require.Fail(t, "a client is still served")
		}
	})
}

func TestAQuestionWaitsWhileThereAreOnlyObservers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, watcher := s.join("one"), s.join("watcher")
		s.open(one)
		watcher.say(`{"jsonrpc":"2.0","id":1,"method":"session/attach","params":{"sessionId":"s1","role":"observer","historyPolicy":"none"}}`)
		watcher.hear()
		require.NoError(t, one.out.Close())
		_, params := watcher.awaitCall("session/update")
		require.Equal(t, "client_disconnected", params["update"].(map[string]any)["sessionUpdate"])
		s.agent.say(permission, `7`)
		again := s.join("one again")
		s.load(again)
		request := again.expect(fmt.Sprintf(permission, `"*"`))
		again.say(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`, request)
		s.agent.expect(`{"jsonrpc":"2.0","id":7,"result":{"_meta":{"turnwire.dev/answeredBy":{"client":"client-3","name":"one again"}},"outcome":{"outcome":"selected","optionId":"yes"}}}`)
	})
}

// The client that forks a session already has its history. A client that joins the fork
// does not.
func TestAForkStartsWithTheHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		one.say(prompt)
		turn, _ := s.agent.awaitCall("session/prompt")
		s.agent.say("%s", update(text("to")))
		s.agent.say("%s", update(text("gether")))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, turn)
		one.expect(update(text("to")))
		one.expect(update(text("gether")))
		one.expect(`{"jsonrpc":"2.0","id":"p","result":{"stopReason":"end_turn"}}`)
		one.say(`{"jsonrpc":"2.0","id":"fork","method":"session/fork","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		id, _ := s.agent.awaitCall("session/fork")
		inFork := func(update string) string { return strings.Replace(update, `"s1"`, `"s2"`, 1) }
		s.agent.say("%s", inFork(update(text(" early"))))
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s2"}}`, id)
		one.expect(`{"jsonrpc":"2.0","id":"fork","result":{"sessionId":"s2"}}`)
		one.expect(inFork(update(text(" early"))))
		s.agent.say("%s", inFork(update(text(" later"))))
		one.expect(inFork(update(text(" later"))))

		two := s.join("two")
		two.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s2","cwd":"/w","mcpServers":[]}}`)
		two.expect(inFork(update(prompted)))
		two.expect(inFork(update(text("together early later"))))
		two.expect(`{"jsonrpc":"2.0","id":"load","result":{}}`)
		s.load(two, prompted, text("together"))
	})
}

// A request beyond the limit gets an error response, because its sender waits for one.
func TestRequestsBeyondTheLimitGetErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 8192
		s := newStage(t)
		one := s.join("one")
		for i := range most {
			one.say(`{"jsonrpc":"2.0","id":%d,"method":"_own/wait"}`, i)
		}
		one.say(`{"jsonrpc":"2.0","id":"more","method":"_own/wait"}`)
		one.expectError(`"more"`, -32600, "8192 requests are pending")
	})
}
