package bridge_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// random is an editor, and the agents behind the bridge, driven by the bytes of a
// script.
type random struct {
	t      *testing.T
	script []byte
	e      *editor
	p      *puppet
	ids    []string // of requests, as JSON
	hold   bool     // writes are held back
	held   strings.Builder
	agents []*randomAgent
	read   chan struct{} // closed when the bridge's output ends

	mu      sync.Mutex
	resume  *sync.Cond
	reading bool
	asked   []message // unanswered requests from the bridge
	opened  []string  // the ids of sessions
}

func newRandom(t *testing.T, script []byte) *random {
	in, bridgeIn := net.Pipe()
	out, bridgeOut := net.Pipe()
	r := &random{
		t: t, script: script, p: newPuppet(), read: make(chan struct{}), reading: true,
		e: &editor{t: t, in: in, out: out, lines: bufio.NewReader(out), laws: newLaws(t), served: make(chan error, 1)},
	}
	r.resume = sync.NewCond(&r.mu)
	r.p.offers = []agent.Option{{ID: "mode", Name: "Mode", Category: "mode", Kind: agent.Select, Value: agent.Chosen("a"), Choices: []agent.Choice{{ID: "a"}, {ID: "b"}}}}
	go func() {
		made := newSetup(r.p, bridgeIn, bridgeOut)
		made.MaxSessions, made.client.Join = 4, r.next()%2 == 0
		r.e.served <- made.serve(t.Context())
	}()
	synctest.Wait()
	go r.readAll()
	return r
}

// readAll reads the bridge's output while the editor is reading.
func (r *random) readAll() {
	defer close(r.read)
	for {
		r.mu.Lock()
		for !r.reading {
			r.resume.Wait()
		}
		r.mu.Unlock()
		text, err := r.e.lines.ReadString('\n')
		if err != nil {
			require.ErrorIs(r.t, err, io.EOF)
			require.Empty(r.t, text, "half a line")
			return
		}
		r.handle(text)
	}
}

func (r *random) handle(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.e.laws.received(text)
	var m message
	require.NoError(r.t, json.Unmarshal([]byte(text), &m))
	switch {
	case m.Method != "" && m.ID != nil:
		r.asked = append(r.asked, m)
	case m.Method == "" && m.Result.SessionID != "":
		r.opened = append(r.opened, m.Result.SessionID)
	}
}

func (r *random) setReading(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reading = on
	r.resume.Broadcast()
}

// next returns the next byte of the script, or 0 at its end.
func (r *random) next() byte {
	if len(r.script) == 0 {
		return 0
	}
	b := r.script[0]
	r.script = r.script[1:]
	return b
}

func pick[T any](r *random, from []T) T { return from[int(r.next())%len(from)] }

// id returns the id of a new request, which the laws record.
func (r *random) id(method string, session int) string {
	id := strconv.Itoa(len(r.ids) + 1)
	if r.next()%4 == 0 {
		id = `"r` + id + `"`
	}
	r.ids = append(r.ids, id)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.e.laws.addRequest(id, method, r.sessionID(session))
	return id
}

// sessionID returns the id of a session, or an unknown id if the session was not
// opened.
func (r *random) sessionID(n int) string {
	if n < 0 || n >= len(r.opened) {
		return "none"
	}
	return r.opened[n]
}

// session returns one of the sessions, usually the first.
func (r *random) session() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return min(int(r.next())%8, max(len(r.opened)-1, 0)) * int(r.next()%2)
}

// write sends lines, or holds them back to send them together with later ones. The laws
// have already recorded their requests.
func (r *random) write(lines string) {
	r.held.WriteString(lines)
	if r.hold && r.held.Len() < 4<<10 {
		return
	}
	r.hold = false
	text := r.held.String()
	r.held.Reset()
	// A bridge that waits for the editor to read may not be reading itself.
	done := make(chan error, 1)
	go func() {
		_, err := io.WriteString(r.e.in, text)
		done <- err
	}()
	synctest.Wait()
	if len(done) == 0 {
		r.setReading(true)
	}
	require.NoError(r.t, <-done)
}

func (r *random) openSession() {
	r.write(call(r.id("session/new", -1), "session/new", `{"cwd":"/project","mcpServers":[]}`))
	synctest.Wait()
	for {
		select {
		case s := <-r.p.sessions:
			s.t = r.t
			r.agents = append(r.agents, newRandomAgent(s))
		default:
			return
		}
	}
}

func (r *random) params(n int, rest string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprintf(`{"sessionId":%q%s}`, r.sessionID(n), rest)
}

func (r *random) prompt(n int) {
	id := r.id("session/prompt", n)
	text := pick(r, []string{"go", "1", "yes", "", "a, b", "cancel"})
	r.write(call(id, "session/prompt", r.params(n, fmt.Sprintf(`,"prompt":[{"type":"text","text":%q}]`, text))))
}

func (r *random) cancel(n int) { r.write(note("session/cancel", r.params(n, ""))) }

func (r *random) closeSession(n int) {
	if r.next()%3 > 0 {
		return // rarely
	}
	r.write(call(r.id("session/close", n), "session/close", r.params(n, "")))
	if n < len(r.agents) {
		r.agents[n].closed = true
	}
}

func (r *random) choose(n int) {
	if r.next()%2 == 0 {
		r.write(call(r.id("session/set_mode", n), "session/set_mode", r.params(n, `,"modeId":"`+pick(r, []string{"a", "b", "c"})+`"`)))
		return
	}
	value := pick(r, []string{`"a"`, `"b"`, `"c"`, `true`, `null`})
	r.write(call(r.id("session/set_config_option", n), "session/set_config_option", r.params(n, `,"configId":"mode","value":`+value)))
}

// answer answers one of the bridge's requests, or one that the bridge has not made.
func (r *random) answer() {
	r.mu.Lock()
	if len(r.asked) == 0 {
		r.mu.Unlock()
		r.write(`{"jsonrpc":"2.0","id":99999,"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}}}` + "\n")
		return
	}
	i := int(r.next()) % len(r.asked)
	m := r.asked[i]
	if r.next()%8 > 0 { // otherwise it is answered twice
		r.asked = append(r.asked[:i], r.asked[i+1:]...)
	}
	r.mu.Unlock()
	r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, pick(r, randomAnswers)) + "\n")
}

// settle answers the editor's open requests until none remain.
func (r *random) settle() {
	r.hold = false
	r.write("")
	for range 10_000 {
		synctest.Wait()
		r.mu.Lock()
		asked := r.asked
		r.asked = nil
		r.mu.Unlock()
		if len(asked) == 0 {
			return
		}
		for _, m := range asked {
			r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}}}`, m.ID) + "\n")
		}
	}
	require.Fail(r.t, "the bridge asks without end")
}
