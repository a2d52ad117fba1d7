package ahphost_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/ahphost"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/hub"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// A party is one side of a connection, played by a test.
type party struct {
	out io.WriteCloser

	mu    sync.Mutex
	lines []string
	ended bool
}

func newParty(in io.Reader, out io.WriteCloser) *party {
	p := &party{out: out}
	go func() {
		s := bufio.NewScanner(in)
		s.Buffer(nil, 64<<20)
		for s.Scan() {
			p.mu.Lock()
			p.lines = append(p.lines, s.Text())
			p.mu.Unlock()
		}
		p.mu.Lock()
		p.ended = true
		p.mu.Unlock()
	}()
	return p
}

// drain returns the lines that arrived since the last call.
func (p *party) drain() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := p.lines
	p.lines = nil
	return lines
}

func (p *party) say(t *testing.T, line string) {
	t.Helper()
	_, err := io.WriteString(p.out, strings.TrimSpace(line)+"\n")
	require.NoError(t, err)
}

// A world is a host in front of a hub, in a synctest bubble. [world.settle] returns
// when all goroutines are idle.
type world struct {
	t       *testing.T
	hub     *hub.Hub
	host    *ahphost.Host
	folder  string
	spool   string // the folder for turns that don't fit into a chat
	home    string
	options string // the agent's offers, as JSON
	title   string // the agent's own name; "" if it has none
	agent   atomic.Pointer[party]
	work    sync.WaitGroup
	ids     int
	opened  int      // number of sessions
	history []string // the agent's updates while a session is loaded
	journal journal.Store
	files   journal.Files      // has folder; nil means the real disk
	hears   func(lines []byte) // if not nil, called before the agent gets lines
	now     func() time.Time
	calls   func(method string) // if not nil, called before the host calls the hub
	open    func() core.Source  // if not nil, returns a source to use instead of the hub
}

func newWorld(t *testing.T, home string) *world {
	w := &world{t: t, folder: t.TempDir(), home: home, options: "[]"}
	w.hub = hub.New(hub.Config{Version: "1", Worked: func(id string) { w.host.Worked("turnwire", id) }, Open: hub.Wire(func(_ context.Context, in io.ReadCloser, out io.WriteCloser) error {
		lines, write := io.Pipe()
		w.agent.Store(newParty(lines, out))
		_, err := io.Copy(writerFunc(func(lines []byte) (int, error) {
			if w.hears != nil {
				w.hears(lines)
			}
			return write.Write(lines)
		}), in)
		return write.CloseWithError(err)
	})})
	w.begin(1000)
	return w
}

type writerFunc func(text []byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }

// begin starts the host.
func (w *world) begin(seq int64) {
	w.host = ahphost.New(ahphost.Config{
		Version: "1", Folder: w.folder, Files: w.files, Spool: w.spool, Journal: w.journal, Home: w.home, FirstSeq: seq, Now: w.now,
		NewID: func() string { w.ids++; return fmt.Sprintf("id%d", w.ids) },
		Agents: []ahphost.Agent{{Provider: "turnwire", Key: "k", Title: "Agent", Open: func(v core.View, hangUp func()) (core.Source, error) {
			if w.open != nil {
				return w.open(), nil
			}
			return watched{w.hub.Connect(v, hub.Client{Host: true, HangUp: hangUp}), w}, nil
		}}},
	})
}

// A watched source tells the world of the host's calls.
type watched struct {
	core.Source
	world *world
}

// Call implements [core.Source].
func (s watched) Call(c *core.Call) {
	if s.world.calls != nil {
		s.world.calls(c.Method)
	}
	s.Source.Call(c)
}

func (w *world) close() {
	w.host.Close()
	w.hub.Close()
	w.work.Wait()
	synctest.Wait()
}

// connect connects a client of the host.
func (w *world) connect(name string) *party {
	in, write := io.Pipe()
	read, out := io.Pipe()
	p := newParty(read, write)
	host := w.host
	w.work.Go(func() {
		_ = host.ServeFrom(context.Background(), consent.Client{Token: name, Transport: "websocket"}, in, out, in.Close)
		_ = out.Close()
	})
	return p
}

// editor connects a client of the hub that speaks ACP.
func (w *world) editor() *party {
	in, write := io.Pipe()
	read, out := io.Pipe()
	p := newParty(read, write)
	w.work.Go(func() {
		ctx, hangUp := context.WithCancel(context.Background())
		defer hangUp()
		config := acp.Config{In: in, Out: out, Log: slog.New(slog.DiscardHandler)}
		_ = acp.Serve(ctx, config, func(v core.View) core.Source { return w.hub.Connect(v, hub.Client{HangUp: hangUp}) })
		_ = out.Close()
	})
	return p
}

// create connects the client a, which creates a session.
func (w *world) create() *mirror {
	a := &mirror{t: w.t, party: w.connect("a")}
	a.say(w.t, strings.Replace(hello, "%s", "a", 1))
	a.say(w.t, `{"jsonrpc":"2.0","id":1,"method":"createSession","params":{"channel":"`+session+`","provider":"turnwire"}}`)
	return a
}

// joined connects an editor that has resumed a session.
func (w *world) joined(id string) *party {
	zed := w.editor()
	zed.say(w.t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`)
	zed.say(w.t, `{"jsonrpc":"2.0","id":2,"method":"session/resume","params":{"sessionId":"`+id+`","cwd":"/w"}}`)
	return zed
}

// heard is a message that the agent received.
type heard struct {
	ID     json.RawMessage
	Method string
	Params struct {
		SessionID string
		ConfigID  string
		Value     any
	}
}

// answers returns the agent's automatic response. It returns "" if the test responds.
func (w *world) answers(line string) string {
	var m heard
	require.NoError(w.t, json.Unmarshal([]byte(line), &m), line)
	result := ""
	switch m.Method {
	case "initialize":
		about := ""
		if w.title != "" {
			about = fmt.Sprintf(`"agentInfo":{"name":"agent","title":%q,"version":"1"},`, w.title)
		}
		result = `{"protocolVersion":1,` + about + `"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":true},"sessionCapabilities":{"title":{}}},"authMethods":[]}`
	case "session/new":
		w.opened++
		result = fmt.Sprintf(`{"sessionId":"s%d","configOptions":%s}`, w.opened, w.options)
	case "session/load":
		result = fmt.Sprintf(`{"configOptions":%s}`, w.options)
	case "session/set_title":
		result = `{"title":"x"}`
	case "session/close":
		result = `{}`
	case "session/set_config_option":
		var options []map[string]any
		require.NoError(w.t, json.Unmarshal([]byte(w.options), &options))
		for _, o := range options {
			if o["id"] == m.Params.ConfigID {
				o["currentValue"] = m.Params.Value
			}
		}
		raw, err := json.Marshal(options)
		require.NoError(w.t, err)
		w.options = string(raw)
		result = `{"configOptions":` + w.options + `}`
	}
	if result == "" || m.ID == nil {
		return ""
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// settle waits until all goroutines are idle, and returns what the agent received.
func (w *world) settle() (got []string) {
	for {
		synctest.Wait()
		agent := w.agent.Load()
		if agent == nil {
			return got
		}
		lines := agent.drain()
		if len(lines) == 0 {
			return got
		}
		got = append(got, lines...)
		for _, line := range lines {
			if answer := w.answers(line); answer != "" {
				if strings.Contains(line, `"session/load"`) {
					var m heard
					require.NoError(w.t, json.Unmarshal([]byte(line), &m))
					for _, h := range w.history {
						w.agent.Load().say(w.t, strings.ReplaceAll(h, `"LOADED"`, `"`+m.Params.SessionID+`"`))
					}
				}
				w.agent.Load().say(w.t, answer)
			}
		}
	}
}

const session = "turnwire:/one"

var chat = ahp.ChatURI(session)

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"channel":"ahp-root://","protocolVersions":["0.9.0"],"clientId":"%s","initialSubscriptions":["ahp-root://"]}}`

// compact returns JSON without white space and with sorted members.
func compact(t *testing.T, line string) string {
	var v any
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	require.NoError(t, d.Decode(&v), line)
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(v))
	return strings.TrimSpace(out.String())
}
