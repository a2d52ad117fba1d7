package hub_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A visitor is a client that loads a session, answers requests, and leaves again or
// stays.
type visitor struct {
	*peer
	session string
	text    strings.Builder // what it was shown
}

// read reads until the text ends with end, or until n lines were read.
func (v *visitor) read(end string, n int) {
	for range n {
		if end != "" && strings.HasSuffix(v.text.String(), end) {
			return
		}
		v.handle(v.hear())
	}
}

// answer answers requests until done. Requests made before a visitor joined arrive
// after the whole text.
func (v *visitor) answer(done <-chan struct{}) {
	for {
		select {
		case line := <-v.lines:
			v.handle(line)
		case <-done:
			return
		}
	}
}

func (v *visitor) handle(line string) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			SessionID string
			Update    struct{ Content struct{ Text string } }
		}
	}
	require.NoError(v.t, json.Unmarshal([]byte(line), &m))
	switch m.Method {
	case "session/update":
		require.Equal(v.t, v.session, m.Params.SessionID)
		v.text.WriteString(m.Params.Update.Content.Text)
	case "session/request_permission":
		v.say(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`, m.ID)
	}
}

// Clients come and go at any moment, while many sessions stream and ask. No client sees
// a piece twice or misses one, and the agent gets one answer to each question.
func TestNothingIsLostOrDuplicatedAsClientsComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const sessions, visitors, pieces = 20, 6, 150
		s := newStage(t)
		first := s.join("first")
		for i := range sessions {
			first.say(`{"jsonrpc":"2.0","id":"n%d","method":"session/new","params":{"cwd":"/w","mcpServers":[]}}`, i)
			id, _ := s.agent.awaitCall("session/new")
			s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s%d"}}`, id, i)
			first.hear()
		}
		require.NoError(t, first.out.Close())

		want := make([]strings.Builder, sessions)
		var streaming, visiting sync.WaitGroup
		t.Cleanup(func() { streaming.Wait(); visiting.Wait() })
		failed := make(chan struct{}, 1)
		g := &goroutine{t, failed}
		s.agent.t = g
		answered := make(chan struct{}) // all of the agent's requests
		streaming.Go(func() {
			defer close(answered)
			r := rand.New(rand.NewPCG(1, 2))
			asked := 0
			for n := range pieces * sessions {
				i := n % sessions
				piece := fmt.Sprintf("%d.", n)
				want[i].WriteString(piece)
				s.agent.say(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s%d","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%s"}}}}`, i, piece)
				if r.IntN(50) == 0 {
					s.agent.say(strings.Replace(permission, `"s1"`, fmt.Sprintf(`"s%d"`, i), 1), fmt.Sprintf(`"q%d"`, asked))
					asked++
				}
			}
			for i := range sessions {
				want[i].WriteString("END")
				s.agent.say(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s%d","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"END"}}}}`, i)
			}
			once := map[string]bool{}
			for range asked {
				var m struct{ ID string }
				require.NoError(g, json.Unmarshal([]byte(s.agent.hear()), &m))
				require.False(g, once[m.ID], "%s was answered twice", m.ID)
				once[m.ID] = true
			}
		})
		var mu, seen sync.Mutex // mu guards connecting, seen guards left
		var left []*visitor
		for i := range visitors * sessions {
			visiting.Go(func() {
				r := rand.New(rand.NewPCG(uint64(i), 3))
				for visit := 0; ; visit++ {
					v := &visitor{session: fmt.Sprintf("s%d", i%sessions)}
					func() {
						mu.Lock()
						defer mu.Unlock()
						v.peer = s.joinOf(g, fmt.Sprint("visitor ", i))
					}()
					v.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"%s","cwd":"/w","mcpServers":[]}}`, v.session)
					if stays := visit == 2 || i < sessions; stays {
						v.read("END", 1<<30)
						v.answer(answered)
						require.Equal(g, want[i%sessions].String(), v.text.String())
						return
					}
					v.read("END", r.IntN(100))
					require.NoError(g, v.out.Close())
					seen.Lock()
					left = append(left, v)
					seen.Unlock()
				}
			})
		}
		done := make(chan struct{})
		go func() { visiting.Wait(); close(done) }()
		select {
		case <-done:
		case <-failed:
			t.FailNow()
		case <-time.After(3 * patience):
			require.Fail(t, "somebody waits for what does not come")
		}
		for _, v := range left {
			var i int
			_, err := fmt.Sscanf(v.session, "s%d", &i)
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(want[i].String(), v.text.String()), "%q is not how %q begins", v.text.String(), want[i].String())
		}
	})
}
