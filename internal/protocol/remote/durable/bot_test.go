package durable_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/remote/durable"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/flaky"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A line is a message of either side.
type line struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Session   string          `json:"sessionId"`
		RequestID json.RawMessage `json:"requestId"`
		Prompt    string          `json:"prompt"`
		Cwd       string          `json:"cwd"`
		Role      string          `json:"role"`
		Update    struct {
			Kind   string `json:"sessionUpdate"`
			N      int    `json:"n"`
			Tool   string `json:"toolCallId"`
			Status string `json:"status"`
			Title  string `json:"title"`
			Error  string `json:"error"`
		} `json:"update"`
	} `json:"params"`
	Result struct {
		Session    string `json:"sessionId"`
		StopReason string `json:"stopReason"`
		Outcome    struct {
			Outcome string `json:"outcome"`
		} `json:"outcome"`
	} `json:"result"`
	Error *struct {
		Message string `json:"message"`
		Data    struct {
			Code string `json:"code"`
		} `json:"data"`
	} `json:"error"`
	text string
}

func parse(t testing.TB, text string) (l line) {
	t.Helper()
	_ = exactjson.Unmarshal([]byte(text), &l) // what does not fit stays empty
	l.text = text
	return l
}

// A bot plays a server with an agent that asks before it does anything.
type bot struct {
	t     testing.TB
	pause time.Duration // before each update
	// running is how many turns run in each session that is resumed.
	running int
	// closed lets nobody attach.
	closed bool

	mu       sync.Mutex
	done     map[string]int // how often something was permitted, by prompt
	prompts  map[string]int // how often a prompt arrived
	received []string       // methods, except prompts
	roles    []string       // with which clients attached
	sessions int
}

func newBot(t testing.TB) *bot {
	t.Helper()
	return &bot{t: t, done: make(map[string]int), prompts: make(map[string]int)}
}

func (b *bot) did(what string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.done[what]
}

func (b *bot) got() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.received...)
}

// A botTurn is one running turn.
type botTurn struct {
	answer    chan bool
	cancelled chan struct{}
	once      sync.Once
}

// serve serves a connection.
func (b *bot) serve(ctx context.Context, c *server.Conn) {
	defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
	var writing sync.Mutex
	say := func(format string, args ...any) {
		writing.Lock()
		defer writing.Unlock()
		_, _ = fmt.Fprintf(c, format+"\n", args...)
	}
	gone := make(chan struct{})
	var work sync.WaitGroup
	defer work.Wait()
	defer close(gone)
	turns, asked, lastAsk, count := make(map[string]*botTurn), make(map[string]*botTurn), 0, 0
	var mu sync.Mutex
	update := func(session, update string) {
		mu.Lock()
		count++
		n := count
		mu.Unlock()
		say(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{"n":%d,%s}}}`, session, n, update)
	}
	for lines := bufio.NewScanner(c); lines.Scan(); {
		m := parse(b.t, lines.Text())
		if m.Method != "" && m.Method != "session/prompt" {
			b.mu.Lock()
			b.received = append(b.received, m.Method)
			if m.Params.Role != "" {
				b.roles = append(b.roles, m.Params.Role)
			}
			b.mu.Unlock()
		}
		switch m.Method {
		case "": // an answer
			mu.Lock()
			t := asked[string(m.ID)]
			mu.Unlock()
			if t != nil {
				t.once.Do(func() { t.answer <- m.Result.Outcome.Outcome == "selected" })
			}
		case "session/new":
			b.mu.Lock()
			b.sessions++
			id := "s" + strconv.Itoa(b.sessions)
			b.mu.Unlock()
			say(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":%q}}`, m.ID, id)
		case "session/cancel":
			mu.Lock()
			t := turns[m.Params.Session]
			mu.Unlock()
			if t != nil {
				t.once.Do(func() { close(t.cancelled) })
			}
		case "session/prompt":
			b.mu.Lock()
			b.prompts[m.Params.Prompt]++
			b.mu.Unlock()
			t := &botTurn{answer: make(chan bool, 1), cancelled: make(chan struct{})}
			mu.Lock()
			turns[m.Params.Session] = t
			lastAsk++
			ask := lastAsk
			asked[strconv.Itoa(ask)] = t
			mu.Unlock()
			work.Go(func() {
				update(m.Params.Session, `"sessionUpdate":"prompt_received"`)
				for range 5 {
					time.Sleep(b.pause)
					update(m.Params.Session, `"sessionUpdate":"agent_message_chunk"`)
				}
				update(m.Params.Session, `"sessionUpdate":"tool_call","toolCallId":"tool","status":"pending"`)
				say(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":%q}}`, ask, m.Params.Session)
				stop := "end_turn"
				select {
				case allowed := <-t.answer:
					if allowed {
						b.mu.Lock()
						b.done[m.Params.Prompt]++
						b.mu.Unlock()
					}
				case <-t.cancelled:
					stop = "cancelled"
				case <-gone:
					return
				}
				update(m.Params.Session, `"sessionUpdate":"tool_call_update","toolCallId":"tool","status":"completed"`)
				update(m.Params.Session, `"sessionUpdate":"turn_complete"`)
				say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":%q}}`, m.ID, stop)
			})
		case "session/load":
			if m.Params.Cwd == "/large" { // it has a history that takes long to show
				update(m.Params.Session, `"sessionUpdate":"user_message_chunk"`)
				continue
			}
			say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
		case "session/attach":
			if b.closed {
				say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32002,"message":"the session is not open"}}`, m.ID)
				continue
			}
			say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
		case "session/resume":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"_meta":{"turnwire.dev/turns":%d}}}`, m.ID, b.running)
		default:
			if m.ID != nil {
				say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
			}
		}
	}
}

// A player is a client.
type player struct {
	t     testing.TB
	conn  *durable.Conn
	lines chan line // closed at EOF
}

// play connects a client to a site.
func play(t testing.TB, s *flaky.Site, change func(*durable.Config)) *player {
	t.Helper()
	config := durable.Config{Config: s.Config()}
	if change != nil {
		change(&config)
	}
	conn, err := durable.Open(config)
	require.NoError(t, err)
	p := &player{t: t, conn: conn, lines: make(chan line, 1000)}
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(p.lines)
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			p.lines <- parse(t, lines.Text())
		}
	})
	t.Cleanup(func() {
		_ = conn.Close()
		<-conn.Done()
		reading.Wait()
	})
	return p
}

func (p *player) say(format string, args ...any) {
	_, err := fmt.Fprintf(p.conn, format+"\n", args...)
	require.NoError(p.t, err)
}

// next waits for a line.
func (p *player) next(wanted func(line) bool) line {
	p.t.Helper()
	for l := range p.lines {
		if wanted(l) {
			return l
		}
	}
	require.Fail(p.t, "the connection ended", "%v", p.conn.Err())
	return line{}
}

func (p *player) answer(id string) line {
	p.t.Helper()
	return p.next(func(l line) bool { return l.Method == "" && string(l.ID) == id })
}

func (p *player) asks() line {
	p.t.Helper()
	return p.next(func(l line) bool { return l.Method == "session/request_permission" })
}

func (p *player) update(kind string) line {
	p.t.Helper()
	return p.next(func(l line) bool { return l.Params.Update.Kind == kind })
}

// begin initializes the connection and opens a session.
func (p *player) begin() (session string) {
	p.t.Helper()
	p.say(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"clientCapabilities":{"session":{"notices":{}}}}}`)
	p.answer(`"i"`)
	p.say(`{"jsonrpc":"2.0","id":"n","method":"session/new","params":{"cwd":"/work","mcpServers":[]}}`)
	return p.answer(`"n"`).Result.Session
}

func (p *player) prompt(session string, id int, text string) {
	p.say(`{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":%q,"prompt":%q}}`, id, session, text)
}

func (p *player) allow(asked line) {
	p.say(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"allow"}}}`, asked.ID)
}

func (p *player) cancel(session string) {
	p.say(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%q}}`, session)
}

// oneLine returns a server that sends a line before each response.
func oneLine(text string) func(context.Context, *server.Conn) {
	return func(ctx context.Context, c *server.Conn) {
		defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
		for lines := bufio.NewScanner(c); lines.Scan(); {
			var m line
			_ = exactjson.Unmarshal(lines.Bytes(), &m)
			_, _ = fmt.Fprintf(c, "%s\n"+`{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", text, m.ID)
		}
	}
}
