package hub_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// event returns a notification without a session.
func event(n int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"_vendor/event","params":{"n":%d}}`, n)
}

// told reads lines until an event with this number, and returns the texts and the events
// in the order in which they came. Texts that follow each other are joined.
func (p *peer) told(last int) (all []string) {
	p.t.Helper()
	isText := false
	for {
		line := p.hear()
		var m struct {
			Method string
			Params struct {
				N       int
				Session string `json:"sessionId"`
				Update  struct{ Content struct{ Text string } }
			}
		}
		require.NoError(p.t, json.Unmarshal([]byte(line), &m), line)
		switch m.Method {
		case "session/update":
			if text := m.Params.Update.Content.Text; isText {
				all[len(all)-1] += text
			} else {
				all = append(all, text)
			}
			isText = true
		case "_vendor/event":
			all = append(all, fmt.Sprintf("event %d", m.Params.N))
			if isText = false; m.Params.N == last {
				return all
			}
		}
	}
}

// A client that reads late gets longer texts, but none of them ahead of an event that the
// agent wrote before it.
func TestEventsWithoutASessionKeepTheirPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, slow := s.join("one"), s.slow("slow")
		s.open(one)
		slow.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		synctest.Wait()
		var want []string
		const events, pieces = 20, 300
		for i := range events {
			var all strings.Builder
			for j := range pieces { // enough to fold them several times
				piece := fmt.Sprintf("%d.%d ", i, j)
				all.WriteString(piece)
				s.agent.say("%s", update(text(piece)))
			}
			s.agent.say("%s", event(i))
			want = append(want, all.String(), fmt.Sprintf("event %d", i))
		}
		require.Equal(t, want, one.told(events-1))
		slow.release()
		require.Equal(t, want, slow.told(events-1))
	})
}

func TestAnEventFollowsTheUpdatesOfEachSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, slow := s.join("one"), s.slow("slow")
		s.open(one)
		one.say(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}`)
		id, _ := s.agent.awaitCall("session/new")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s2"}}`, id)
		one.hear()
		for i, session := range []string{"s1", "s2"} {
			slow.say(`{"jsonrpc":"2.0","id":%d,"method":"session/attach","params":{"sessionId":%q,"historyPolicy":"none"}}`, i, session)
		}
		synctest.Wait()
		other := func(body string) string { return strings.Replace(update(body), `"s1"`, `"s2"`, 1) }
		s.agent.say("%s", update(text(strings.Repeat("x", 1<<20)))) // more than the connection takes
		synctest.Wait()
		for _, line := range []string{update(text("a")), event(1), other(text("b")), update(text("c")), event(2), other(text("d")), event(3)} {
			s.agent.say("%s", line)
		}
		slow.release()
		got := slow.told(3)
		require.Equal(t, "a,event 1", strings.Trim(got[0], "x")+","+got[1])
		require.ElementsMatch(t, []rune("bc"), []rune(got[2]), "sessions have no order")
		require.Equal(t, "event 2,d,event 3", strings.Join(got[3:], ","))
	})
}

// A client that loads a session again gets the whole history, and so not also what it had
// not read.
func TestAnEventRepeatsNothingForAClientThatLoadsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, slow := s.join("one"), s.slow("slow")
		s.open(one)
		slow.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		synctest.Wait()
		s.agent.say("%s", update(text(strings.Repeat("a", 1<<20)))) // more than the connection takes
		synctest.Wait()
		s.agent.say("%s", update(text("b")))
		s.agent.say("%s", event(1))
		synctest.Wait()
		slow.say(`{"jsonrpc":"2.0","id":"again","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		synctest.Wait()
		s.agent.say("%s", event(2))
		slow.release()
		require.Equal(t, 1, strings.Count(strings.Join(slow.told(2), ","), "b"))
	})
}

// An event for a client that does not read delays neither the agent nor an answer of
// another client, and its outbox is bounded.
func TestEventsForAClientThatReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		one, slow := s.join("one"), s.slow("slow")
		s.open(one)
		slow.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
		synctest.Wait()
		long := strings.Replace(event(1), `"n":1`, `"n":1,"text":"`+strings.Repeat("x", 64<<10)+`"`, 1)
		for len(s.hub.Sessions()[0].Clients) == 2 {
			s.agent.say("%s", update(text("piece")))
			one.hear()
			s.agent.say("%s", long)
			one.hear()
		}
		s.agent.say(permission, `7`)
		for line := ""; !strings.Contains(line, "session/request_permission"); {
			line = one.hear()
		}
		require.Equal(t, []string{"one"}, s.hub.Sessions()[0].Clients)
	})
}

func TestOnlyInitializedClientsGetEventsWithoutASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		silent, refused, one := s.clientOf(t), s.clientOf(t), s.clientOf(t)
		refused.say(hello, "refused")
		s.agent = <-s.came
		id, _ := s.agent.awaitCall("initialize")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"not yet"}}`, id)
		refused.expect(`{"jsonrpc":"2.0","id":"hello","error":{"code":-32603,"message":"not yet"}}`)
		one.say(hello, "one")
		id, _ = s.agent.awaitCall("initialize")
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}`, id)
		one.heardAnswer("hello")
		s.agent.say("%s", event(1))
		one.expect(event(1))
		s.agent.say(question, "7")
		one.say(fine, one.asked())
		s.agent.expect(fmt.Sprintf(fine, "7"))
		synctest.Wait()
		require.Empty(t, refused.lines)
		require.Empty(t, silent.lines)
	})
}
