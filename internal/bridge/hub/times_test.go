package hub_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// at is like [update], for a replayed update with its times in seconds.
func at(start time.Time, from, until int, body string) string {
	meta := fmt.Sprintf(`{"turnwire.dev/at":%d`, start.Add(time.Duration(from)*time.Second).UnixMilli())
	if until > from {
		meta += fmt.Sprintf(`,"turnwire.dev/until":%d`, start.Add(time.Duration(until)*time.Second).UnixMilli())
	}
	return strings.TrimSuffix(update(body), "}}") + `,"_meta":` + meta + `}}}`
}

// joinTimed is like join, for a client that wants the times of replayed updates.
func (s *stage) joinTimed(name string) *peer {
	s.t.Helper()
	p := s.client()
	p.say(strings.Replace(hello, `"elicitation"`, `"_meta":{"turnwire.dev/times":true},"elicitation"`, 1), name)
	p.heardAnswer("hello")
	return p
}

// heardAnswer reads the next line, which must be the successful response to a request.
func (p *peer) heardAnswer(id string) (result json.RawMessage) {
	p.t.Helper()
	line := p.hear()
	var got struct {
		ID     string
		Result json.RawMessage
	}
	require.NoError(p.t, json.Unmarshal([]byte(line), &got), line)
	require.Equal(p.t, id, got.ID, line)
	require.NotEmpty(p.t, got.Result, line)
	return got.Result
}

func TestLaterClientsGetTheTimesOfUpdates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const call = `{"sessionUpdate":"tool_call","toolCallId":"c","title":"Boil","status":"in_progress"}`
		const done = `{"sessionUpdate":"tool_call","toolCallId":"c","title":"Boil","status":"completed"}`
		s := newStage(t)
		start := time.Now()
		one := s.join("one")
		s.open(one)
		for _, u := range []string{text("Wa"), text("ter"), call, `{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"}`} {
			s.agent.say("%s", update(u))
			one.expect(update(u))
			time.Sleep(2 * time.Second)
		}
		two := s.joinTimed("two")
		two.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		two.expect(at(start, 0, 2, text("Water")))
		two.expect(at(start, 4, 6, done))
		two.heardAnswer("load")
		s.agent.say("%s", update(text("now")))
		two.expect(update(text("now")))

		two.say(`{"jsonrpc":"2.0","id":"attach","method":"session/attach","params":{"sessionId":"s1"}}`)
		var attached struct {
			History []json.RawMessage
		}
		require.NoError(t, json.Unmarshal(two.heardAnswer("attach"), &attached))
		require.Len(t, attached.History, 3)
		require.JSONEq(t, strings.Replace(at(start, 0, 2, text("Water")), `"jsonrpc":"2.0",`, "", 1), string(attached.History[0]))
		require.JSONEq(t, strings.Replace(at(start, 8, 8, text("now")), `"jsonrpc":"2.0",`, "", 1), string(attached.History[2]))

		three := s.join("three")
		s.load(three, text("Water"), done, text("now"))
	})
}

// A session that the agent replays gets the times that the agent reports.
func TestTheAgentsTimesArePassedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		start := time.Now().Add(-time.Hour)
		one := s.join("one")
		two := s.joinTimed("two")
		two.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		id, _ := s.agent.awaitCall("session/load")
		past := []string{at(start, 0, 0, text("Wa")), at(start, 2, 5, text("ter"))}
		for _, line := range past {
			s.agent.say("%s", line)
			two.expect(line)
		}
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"b","name":"B"}]}}}`, id)
		two.heardAnswer("load")
		three := s.joinTimed("three")
		three.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		three.expect(at(start, 0, 5, text("Water")))
		three.heardAnswer("load")
		s.load(one, text("Water"))
	})
}
