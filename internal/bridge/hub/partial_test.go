package hub_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// A request for a change of which the user may accept a part, and such an answer. The part
// of the answer's result that the agent receives too is accepts.
const (
	editRequest = `{"jsonrpc":"2.0","id":%s,"method":"session/request_permission","params":{"sessionId":"s1",` +
		`"toolCall":{"toolCallId":"c","content":[{"type":"diff","path":"/w/a","oldText":"1\n2\n","newText":"one\ntwo\n"}]},` +
		`"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}],"_meta":{"turnwire.dev/partial":true}}}`
	accepts       = `"turnwire.dev/accepted":[{"path":"/w/a","newText":"one\n2\n"}]`
	partialAnswer = `{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"yes"},"_meta":{` + accepts + `}}}`
	attaches      = `{"jsonrpc":"2.0","id":"watch","method":"session/attach","params":{"sessionId":"s1","role":"observer","historyPolicy":"full"}}`
	allowedInPart = `{"verdict":"allow","option":"allow_once","optionId":"yes","optionName":"Yes","by":"user","partial":true}`
)

func TestAPartialAnswerReachesTheAgentAndTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two, three := s.join("one"), s.join("two"), s.join("three")
		s.open(one)
		s.load(two)
		three.say(watches)
		three.hear()
		s.agent.say(editRequest, `7`)
		request := one.expect(fmt.Sprintf(editRequest, `"*"`))
		two.expect(fmt.Sprintf(editRequest, `"*"`))
		one.say(partialAnswer, request)
		s.agent.expect(`{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected","optionId":"yes"},` +
			`"_meta":{` + accepts + `,"turnwire.dev/answeredBy":{"client":"client-1","name":"one"}}}}`)
		three.expect(update(`{"sessionUpdate":"permission_resolved","toolCallId":"c","outcome":"selected","optionId":"yes",` +
			`"resolvedBy":{"clientId":"client-1","name":"one","role":"controller"},"_meta":{"turnwire.dev/partial":true}}`))
		two.awaitCall("$/cancel_request")
		four, five := s.join("four"), s.join("five")
		four.say(attaches)
		require.NotContains(t, four.hear(), allowedInPart, "the agent has not announced the call")
		s.agent.say("%s", update(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"Edit"}`))
		five.say(attaches)
		require.Contains(t, five.hear(), allowedInPart)
	})
}

func TestOnlyTheFirstOfTwoPartialAnswersCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		s.load(two)
		s.agent.say(editRequest, `7`)
		first, second := one.expect(fmt.Sprintf(editRequest, `"*"`)), two.expect(fmt.Sprintf(editRequest, `"*"`))
		one.say(yes, first)
		synctest.Wait()
		two.say(partialAnswer, second)
		require.NotContains(t, s.agent.hear(), "accepted")
		synctest.Wait()
		require.Empty(t, s.agent.lines)
	})
}

func TestAnObserverAcceptsNoPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		two.say(watches)
		two.hear()
		s.agent.say(editRequest, `7`)
		request := one.expect(fmt.Sprintf(editRequest, `"*"`))
		two.say(partialAnswer, request)
		synctest.Wait()
		require.Empty(t, s.agent.lines)
	})
}

// A client that was offered no part may not invent one.
func TestAPartThatWasNotOfferedIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one := s.join("one")
		s.open(one)
		s.agent.say(permission, `7`)
		one.say(partialAnswer, one.expect(fmt.Sprintf(permission, `"*"`)))
		var got struct {
			Result struct{ Outcome json.RawMessage }
		}
		require.NoError(t, json.Unmarshal([]byte(s.agent.hear()), &got))
		require.JSONEq(t, `{"outcome":"cancelled"}`, string(got.Result.Outcome))
	})
}

func TestAPartialAnswerReachesAnotherServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		has, reaches := twoServers(t)
		one, two := has.join("one"), reaches.join("two")
		has.open(one)
		reaches.load(two)
		announced := update(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"Edit"}`)
		has.agent.say("%s", announced)
		one.expect(announced)
		two.expect(announced)
		has.agent.say(editRequest, `7`)
		one.expect(fmt.Sprintf(editRequest, `"*"`))
		two.say(partialAnswer, two.expect(fmt.Sprintf(editRequest, `"*"`)))
		has.agent.expect(`{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected","optionId":"yes"},` +
			`"_meta":{` + accepts + `,"turnwire.dev/answeredBy":{"client":"client-1","name":"two"}}}}`)
		three := has.join("three")
		three.say(attaches)
		require.Contains(t, three.hear(), allowedInPart)
	})
}
