package terminal

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

const (
	codeMethodNotFound   = -32601
	codeInvalidParams    = -32602
	codeRequestCancelled = -32800
)

// A client is the protocol side of a turn. Its last message is exactly one [*ended].
//
// Goroutines: jsonrpc2's reader delivers messages and never calls the peer. runTurn makes
// the turn's calls, one after the other. write sends answers and notifications, so that
// neither the reader nor the loop waits for a write.
type client struct {
	conn     *jsonrpc2.Conn
	stream   *updateStream
	messages chan message
	writes   chan func(ctx context.Context)
	ctx      context.Context
	stop     context.CancelFunc
	session  chan string // receives the session's id as soon as the session is open
	past     atomic.Bool // updates are history
}

func newClient(ctx context.Context, stream jsonrpc2.ObjectStream, log *slog.Logger) *client {
	c := &client{
		messages: make(chan message, 64),
		writes:   make(chan func(context.Context), 64),
		session:  make(chan string, 1),
	}
	c.ctx, c.stop = context.WithCancel(context.WithoutCancel(ctx))
	c.stream = &updateStream{ObjectStream: stream, deliver: c.deliver}
	c.conn = jsonrpc2.NewConn(c.ctx, c.stream, c, jsonrpc2.SetLogger(rpcLogger{log}))
	go c.write()
	return c
}

// close ends the connection and the client's goroutines.
func (c *client) close() {
	c.stop()
	_ = c.conn.Close() // it may be closed already
}

func (c *client) deliver(m message) {
	if _, update := m.(*updated); update && c.past.Load() {
		return
	}
	select {
	case c.messages <- m:
	case <-c.ctx.Done():
	}
}

func (c *client) write() {
	for {
		select {
		case w := <-c.writes:
			w(c.ctx)
		case <-c.ctx.Done():
			return
		}
	}
}

// enqueue passes w to the writer. Write errors are ignored: they mean that the connection
// is gone, which ends the turn.
func (c *client) enqueue(w func(ctx context.Context)) {
	select {
	case c.writes <- w:
	case <-c.ctx.Done():
	}
}

// runTurn runs the turn and delivers its end.
func (c *client) runTurn(o Options) {
	stop, err := c.turn(o)
	c.deliver(&ended{stop, err})
}

func (c *client) turn(o Options) (v1.StopReason, error) {
	initialized, err := c.initialize(o)
	if err != nil {
		return "", err
	}
	if o.Follow != "" {
		return "", c.follow(o)
	}
	session, err := c.open(&initialized, o)
	if err != nil {
		return "", fmt.Errorf("open a session: %w", initialized.withLogin(err))
	}
	c.deliver(&opened{session})
	blocks, err := promptBlocks(&initialized, &o)
	if err != nil {
		return "", err
	}
	sent, err := c.dispatch(4, v1.MethodSessionPrompt, v1.PromptRequest{SessionID: session, Prompt: blocks})
	if err != nil {
		return "", plainError(err)
	}
	// A cancel sent before the prompt has no effect, so allow cancelling only now.
	c.session <- session
	var done v1.PromptResponse
	err = protocol.Await(c.ctx, sent, &done)
	return done.StopReason, plainError(err)
}

// initialize performs the handshake.
func (c *client) initialize(o Options) (result initializeResult, err error) {
	meta := v1.Meta{}
	if o.TerminalOutput {
		meta[outputMeta] = true
	}
	var cursors *v1.Marker
	if o.Leave != nil { // a chat can go on in another session
		cursors, meta[v1.ForkMeta], meta[turnsMeta] = &v1.Marker{}, true, true
	}
	err = c.call(1, v1.MethodInitialize, v1.InitializeRequest{
		ProtocolVersion: v1.Version,
		ClientCapabilities: v1.ClientCapabilities{
			Session: &v1.ClientSessionCapabilities{
				Notices:       &v1.Marker{},
				Cursors:       cursors,
				ConfigOptions: &v1.ConfigOptionsCapabilities{Boolean: &v1.Marker{}},
			},
			Elicitation: &v1.ElicitationCapabilities{Form: &v1.Marker{}, URL: &v1.Marker{}},
			Meta:        meta,
		},
		ClientInfo: &v1.Implementation{Name: "turnwire-run", Title: "Turnwire in a terminal", Version: "1"},
	}, &result)
	if err != nil {
		return result, fmt.Errorf("initialize the agent: %w", err)
	}
	if result.ProtocolVersion != v1.Version {
		return result, fmt.Errorf("the agent speaks version %d of the protocol, not %d", result.ProtocolVersion, v1.Version)
	}
	return result, nil
}

func (c *client) call(n uint64, method string, params, result any) error {
	sent, err := c.dispatch(n, method, params)
	if err == nil {
		err = protocol.Await(c.ctx, sent, result)
	}
	return plainError(err)
}

// dispatch sends a call with the id n. It must not be 0, because a response without an id
// decodes to 0.
func (c *client) dispatch(n uint64, method string, params any) (jsonrpc2.Waiter, error) {
	return c.conn.DispatchCall(c.ctx, method, params, jsonrpc2.PickID(jsonrpc2.ID{Num: n}))
}

// cancel asks the agent to end the turn. It reports whether a prompt was sent that can be
// cancelled. If not, the caller can only leave.
func (c *client) cancel() bool {
	select {
	case id := <-c.session:
		c.cancelIn(id)
		return true
	default:
		return false
	}
}

// cancelIn asks the agent to end the turn of a session, whichever client started it.
func (c *client) cancelIn(session string) {
	c.enqueue(func(ctx context.Context) {
		_ = c.conn.Notify(ctx, v1.MethodSessionCancel, v1.CancelNotification{SessionID: session})
	})
}

// answer answers a request from the agent.
func (c *client) answer(id jsonrpc2.ID, result any) {
	c.enqueue(func(ctx context.Context) { _ = c.conn.Reply(ctx, id, result) })
}

func (c *client) refuse(id jsonrpc2.ID, code int64, text string) {
	c.enqueue(func(ctx context.Context) {
		_ = c.conn.ReplyWithError(ctx, id, &jsonrpc2.Error{Code: code, Message: text})
	})
}

// Handle implements [jsonrpc2.Handler] on the reader's goroutine.
func (c *client) Handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) {
	params := c.stream.params
	switch req.Method {
	case v1.MethodRequestPermission:
		m := &permissionAsked{id: req.ID}
		c.request(req, m, exactjson.Unmarshal(params, &m.request))
	case v1.MethodElicitationCreate:
		m := &questionAsked{id: req.ID}
		c.request(req, m, exactjson.Unmarshal(params, &m.request))
	case "$/cancel_request":
		var cancel struct {
			RequestID jsonrpc2.ID `json:"requestId"`
		}
		if exactjson.Unmarshal(params, &cancel) == nil {
			c.deliver(&withdrawn{cancel.RequestID})
		}
	default:
		if !req.Notif {
			c.refuse(req.ID, codeMethodNotFound, "this client has no method "+req.Method)
		}
	}
}

func (c *client) request(req *jsonrpc2.Request, m message, err error) {
	switch {
	case req.Notif:
		// A notification has no response, so don't ask.
	case err != nil:
		c.refuse(req.ID, codeInvalidParams, err.Error())
	default:
		c.deliver(m)
	}
}

// rpcLogger sends jsonrpc2's messages to the log instead of stderr.
type rpcLogger struct{ log *slog.Logger }

func (l rpcLogger) Printf(format string, args ...any) {
	l.log.Warn("json-rpc", "what", fmt.Sprintf(format, args...))
}
