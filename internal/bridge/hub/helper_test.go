package hub_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/hub"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
	"github.com/turnwire/turnwire/internal/test/limits"
)

const patience = limits.Patience

// A tester is a *testing.T, or a [goroutine] of a test.
type tester interface {
	require.TestingT
	Helper()
}

// A goroutine is a tester for a goroutine other than the test's. On failure it exits,
// and the test is notified.
type goroutine struct {
	*testing.T

	failed chan<- struct{} // has room for one
}

func (g *goroutine) FailNow() {
	g.Fail()
	select {
	case g.failed <- struct{}{}:
	default:
	}
	runtime.Goexit()
}

// A peer is one side of a connection, played by a test.
type peer struct {
	t       tester
	out     io.WriteCloser
	lines   chan string
	reading sync.Mutex // held while the peer does not read
}

// pause makes the peer read one more line, and then none until resume.
func (p *peer) pause() { p.reading.Lock() }

func (p *peer) resume() { p.reading.Unlock() }

func newPeer(t tester, in io.Reader, out io.WriteCloser) *peer {
	p := &peer{t: t, out: out, lines: make(chan string, 1<<16)}
	go func() {
		defer close(p.lines)
		s := bufio.NewScanner(in)
		s.Buffer(make([]byte, 0, 1<<16), 64<<20)
		for s.Scan() {
			p.lines <- s.Text()
			p.reading.Lock()
			p.reading.Unlock() //nolint:staticcheck // it waits for resume
		}
	}()
	return p
}

// say writes lines.
func (p *peer) say(format string, args ...any) {
	p.t.Helper()
	_, err := io.WriteString(p.out, strings.TrimSpace(fmt.Sprintf(format, args...))+"\n")
	require.NoError(p.t, err)
}

// hear returns the next line.
func (p *peer) hear() string {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		require.True(p.t, ok, "the connection has ended")
		return line
	case <-time.After(patience):
		require.Fail(p.t, "nothing came")
		return ""
	}
}

// expect returns the next line, which must be this message. The id "*" matches any id,
// which is returned.
func (p *peer) expect(want string) (id string) {
	p.t.Helper()
	line := p.hear()
	var got map[string]json.RawMessage
	require.NoError(p.t, json.Unmarshal([]byte(line), &got), line)
	id = string(got["id"])
	want = strings.Replace(want, `"id":"*"`, `"id":`+id, 1)
	require.JSONEq(p.t, want, randomID.ReplaceAllString(line, `"messageId":"random"`))
	return id
}

// expectText reads chunks until their texts add up to want. A slow reader gets several
// chunks as one.
func (p *peer) expectText(want string) {
	p.t.Helper()
	for got := ""; got != want; {
		line := p.hear()
		var m struct {
			Params struct {
				Update struct{ Content struct{ Text string } }
			}
		}
		require.NoError(p.t, json.Unmarshal([]byte(line), &m), line)
		require.NotEmpty(p.t, m.Params.Update.Content.Text, line)
		got += m.Params.Update.Content.Text
		require.True(p.t, strings.HasPrefix(want, got), "%q", got)
	}
}

// randomID matches message ids that the hub generates.
var randomID = regexp.MustCompile(`"messageId":"[A-Z2-7]{26}"`)

// expectError reads the next line, which must be this error.
func (p *peer) expectError(id string, code int, details string) {
	p.t.Helper()
	line := p.hear()
	var got struct {
		ID    json.RawMessage
		Error struct {
			Code int
			Data struct{ Details string }
		}
	}
	require.NoError(p.t, json.Unmarshal([]byte(line), &got), line)
	require.Equal(p.t, id, string(got.ID), line)
	require.Equal(p.t, code, got.Error.Code, line)
	require.Equal(p.t, details, got.Error.Data.Details, line)
}

// awaitCall reads the next line, which must have this method, and returns its id and its
// params.
func (p *peer) awaitCall(method string) (id string, params map[string]any) {
	p.t.Helper()
	line := p.hear()
	var got struct {
		ID     json.RawMessage
		Method string
		Params map[string]any
	}
	require.NoError(p.t, json.Unmarshal([]byte(line), &got), line)
	require.Equal(p.t, method, got.Method, line)
	return string(got.ID), got.Params
}

// A stage is a hub between an agent and clients that a test plays. It lives in a
// synctest bubble.
type stage struct {
	t       *testing.T
	hub     *hub.Hub
	agent   *peer
	came    chan *peer
	clients sync.WaitGroup
}

func newStage(t *testing.T) *stage { return newStageWithPeers(t, nil) }

func newStageWithPeers(t *testing.T, elsewhere func(ctx context.Context, id string) (*hub.Peer, error)) *stage {
	return newStageWith(t, hub.Config{Elsewhere: elsewhere})
}

func newStageWithQuestions(t *testing.T, q hub.Questions) *stage {
	return newStageWith(t, hub.Config{Questions: q})
}

func newStageWith(t *testing.T, c hub.Config) *stage {
	s := &stage{t: t, came: make(chan *peer, 8)}
	s.hub = hub.New(hub.Config{Version: "1.2.3", Elsewhere: c.Elsewhere, Questions: c.Questions, Spool: c.Spool, Observe: c.Observe, Open: hub.Wire(func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
		lines, write := io.Pipe()
		s.came <- newPeer(t, lines, out)
		_, err := io.Copy(write, in) // until the hub closes it
		return write.CloseWithError(err)
	})})
	t.Cleanup(func() {
		s.hub.Close()
		s.clients.Wait()
	})
	return s
}

// client connects a client, which must still be initialized.
func (s *stage) client() *peer { return s.clientOf(s.t) }

func (s *stage) clientOf(t tester) *peer { return s.clientFrom(t, consent.Client{}) }

func (s *stage) clientFrom(t tester, from consent.Client) *peer {
	t.Helper()
	return s.connect(t, hub.Client{From: from})
}

// serve serves a client of a hub on streams.
func serve(ctx context.Context, h *hub.Hub, c hub.Client, in io.ReadCloser, out io.WriteCloser) error {
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	c.HangUp = hangUp
	config := acp.Config{In: in, Out: out, Log: slog.New(slog.DiscardHandler)}
	return acp.Serve(ctx, config, func(v core.View) core.Source { return h.Connect(v, c) })
}

func (s *stage) connect(t tester, c hub.Client) *peer {
	t.Helper()
	in, write := io.Pipe()
	read, out := io.Pipe()
	p := newPeer(t, read, write)
	s.clients.Go(func() { _ = serve(s.t.Context(), s.hub, c, in, out) })
	s.t.Cleanup(func() { _ = write.Close() })
	return p
}

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"%s","version":"1"},"clientCapabilities":{"elicitation":{"form":{}}}}}`

// join connects a client and initializes it.
func (s *stage) join(name string) *peer { return s.joinOf(s.t, name) }

// joinOf is like join, for a client of a goroutine.
func (s *stage) joinOf(t tester, name string) *peer {
	t.Helper()
	p := s.clientOf(t)
	p.say(hello, name)
	if s.agent == nil {
		s.agent = <-s.came
		id, params := s.agent.awaitCall("initialize")
		require.Equal(s.t, "1.2.3", params["clientInfo"].(map[string]any)["version"])
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"list":{}}},"authMethods":[]}}`, id)
	}
	p.expect(`{"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":1,"authMethods":[],
		"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"list":{},"attach":{},"resume":{}}}}}`)
	return p
}

// open opens the session s1 for a client.
func (s *stage) open(p *peer) {
	s.t.Helper()
	p.say(`{"jsonrpc":"2.0","id":"new","method":"session/new","params":{"cwd":"/w","mcpServers":[]}}`)
	id, _ := s.agent.awaitCall("session/new")
	s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s1","modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"b","name":"B"}]}}}`, id)
	p.expect(`{"jsonrpc":"2.0","id":"new","result":{"sessionId":"s1","modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"b","name":"B"}]}}}`)
}

// load attaches a client to the session with session/load, and expects this history.
func (s *stage) load(p *peer, history ...string) {
	s.t.Helper()
	p.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}`)
	for _, h := range history {
		p.expect(update(h))
	}
	p.expect(`{"jsonrpc":"2.0","id":"load","result":{"modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"b","name":"B"}]}}}`)
}

// update returns the notification for an update.
func update(body string) string {
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":` + body + `}}`
}

func text(s string) string {
	return `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + s + `"}}`
}

const (
	prompt     = `{"jsonrpc":"2.0","id":"p","method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"hi"}]}}`
	prompted   = `{"sessionUpdate":"user_message_chunk","messageId":"random","content":{"type":"text","text":"hi"}}`
	permission = `{"jsonrpc":"2.0","id":%s,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c"},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}`
)

// slowPeer is a client that does not read until release.
type slowPeer struct {
	*peer
	release func()
}

// slow connects a client that reads the initialize response and then nothing until it
// is released.
func (s *stage) slow(name string) *slowPeer {
	s.t.Helper()
	in, write := io.Pipe()
	read, out := io.Pipe()
	s.clients.Go(func() { _ = serve(s.t.Context(), s.hub, hub.Client{}, in, out) })
	s.t.Cleanup(func() { _ = write.Close(); _ = read.Close() })
	_, err := io.WriteString(write, fmt.Sprintf(hello, name)+"\n")
	require.NoError(s.t, err)
	r := bufio.NewReader(read)
	_, err = r.ReadString('\n')
	require.NoError(s.t, err)
	p := &slowPeer{peer: &peer{t: s.t, out: write}}
	p.release = func() { p.peer = newPeer(s.t, r, write) }
	return p
}
