package hub

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"sync"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// Wire returns an opener for sessions at the other end of a connection, such as another
// server. serve acts as the agent: it speaks ACP on in and out until in ends or ctx is
// done.
func Wire(serve func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error) Opener {
	return func(ctx context.Context, v core.View) (core.Source, error) {
		toAgent, ours := io.Pipe()
		fromAgent, theirs := io.Pipe()
		w := &wire{up: v.(*upstream), input: ours, ended: make(chan struct{}), calls: make(map[string]*core.Call), pending: make(map[string]*core.Request)}
		h := w.up.hub
		w.stream = protocol.NewStream(fromAgent, ours, fromAgent.Close, h.log)
		ctx, cancel := context.WithCancel(ctx)
		served := make(chan struct{})
		h.work.Go(func() {
			defer close(served)
			if err := serve(ctx, toAgent, theirs); err != nil {
				h.log.Warn("the connection to the agent ended", "server", w.up.peer, "error", err)
			}
			closeAll(h, theirs, toAgent)
		})
		h.work.Go(func() {
			defer close(w.ended)
			if err := w.stream.Messages(w.handle); err != nil {
				h.log.Warn("reading the agent", "error", err)
			}
			closeAll(h, w.stream)
			cancel()
			<-served
			h.work.Go(w.up.end)
		})
		return w, nil
	}
}

// A wire is a connection to an agent. It implements [core.Source].
type wire struct {
	up     *upstream
	stream *protocol.Stream
	input  io.Closer     // the agent's input
	ended  chan struct{} // closed when the connection has ended

	mu      sync.Mutex
	last    int64
	calls   map[string]*core.Call    // unanswered calls, by id as JSON
	pending map[string]*core.Request // the agent's unanswered requests, by id as JSON
}

// Call implements [core.Source].
func (w *wire) Call(c *core.Call) {
	w.mu.Lock()
	w.last++
	id := strconv.AppendInt(nil, w.last, 10)
	w.calls[string(id)] = c
	w.mu.Unlock()
	c.Accept()
	c.OnCancel(func() {
		w.send(rawmsg.Request(nil, v1.MethodCancelRequest, append(append([]byte(`{"requestId":`), id...), '}')))
	})
	w.send(rawmsg.Request(id, c.Method, c.Params))
}

// Notify implements [core.Source].
func (w *wire) Notify(method string, params []byte) { w.send(rawmsg.Request(nil, method, params)) }

// Keep implements [core.Source]. The other side has already saved what it sent.
func (w *wire) Keep() {}

// Stop implements [core.Source]. At EOF the other side answers all calls.
func (w *wire) Stop([]*core.Call) {
	w.stream.Drain(endBudget)
	closeAll(w.up.hub, w.input)
}

// Close implements [core.Source].
func (w *wire) Close(ctx context.Context) {
	select {
	case <-w.ended:
	case <-ctx.Done():
		closeAll(w.up.hub, w.stream)
		<-w.ended
	}
}

// send sends a line without waiting.
func (w *wire) send(line []byte) {
	if err := w.stream.Send(line); err != nil {
		w.up.hub.log.Debug("a line could not be sent to the agent", "error", err)
	}
}

// handle dispatches a message from the agent.
func (w *wire) handle(m protocol.Message) {
	switch {
	case m.Method == "":
		w.answered(m)
	case m.ID == nil && m.Method == v1.MethodCancelRequest:
		id, _, _ := rawmsg.Member(m.Params, "requestId")
		if a := w.takeRequest(string(id)); a != nil {
			w.up.Withdraw(a)
		}
	case m.ID == nil:
		w.up.hub.mu.Lock()
		defer w.up.hub.mu.Unlock()
		w.up.notified(m.Method, m.Params)
	default:
		w.asked(bytes.Clone(m.ID), m.Method, bytes.Clone(m.Params))
	}
}

// answered handles the agent's response.
func (w *wire) answered(m protocol.Message) {
	w.mu.Lock()
	c := w.calls[string(m.ID)]
	delete(w.calls, string(m.ID))
	w.mu.Unlock()
	switch {
	case c == nil:
		w.up.hub.log.Warn("dropped a response without a request", "id", string(m.ID))
	case m.Error != nil:
		c.Fail(&core.AgentError{JSON: bytes.Clone(m.Error)})
	default:
		c.ReplyJSON(m.Result)
	}
}

// asked handles the agent's request.
func (w *wire) asked(id []byte, method string, params []byte) {
	a := &core.Request{Session: rawmsg.MemberText(params, "sessionId"), Method: method, Params: params}
	if method == v1.MethodRequestPermission {
		a.Offered = core.OptionsOf(params)
	}
	about, _, _ := rawmsg.Member(params, "requestId")
	w.mu.Lock()
	a.About = w.calls[string(about)]
	w.pending[string(id)] = a
	w.mu.Unlock()
	a.Answered = func(answer core.Answer) {
		w.takeRequest(string(id))
		outcome, value := rawmsg.Result, answer.Result
		if answer.Failure != nil {
			outcome, value = rawmsg.Error, answer.Failure
		} else if method == v1.MethodRequestPermission {
			value = signed(value, answer)
		}
		w.send(rawmsg.Response(id, outcome, value))
	}
	_ = w.up.Request(a) // it never returns an error
}

// takeRequest removes and returns the unanswered request with an id, or returns nil.
func (w *wire) takeRequest(id string) *core.Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.pending[id]
	delete(w.pending, id)
	return a
}

// signed returns a result that says who answered, or why nobody was asked.
func signed(result []byte, answer core.Answer) []byte {
	meta := object(result, "_meta")
	if answer.By != nil {
		meta = rawmsg.Set(meta, consent.AnsweredBy, rawmsg.Encode(answer.By))
	}
	if answer.Unasked != "" {
		meta = rawmsg.Set(meta, consent.Unasked, rawmsg.Quote(answer.Unasked))
	}
	if string(meta) == "{}" {
		return result
	}
	return rawmsg.Set(result, "_meta", meta)
}

// unsigned returns an answer without any claim about its author, well-formed or not,
// and the author that it claims.
func unsigned(result []byte) (bare []byte, by *consent.Client) {
	existing, _, _ := rawmsg.Member(result, "_meta")
	if existing == nil {
		return result, nil
	}
	meta := object(result, "_meta")
	who, _, _ := rawmsg.Member(meta, consent.AnsweredBy)
	bare = rawmsg.Without(result, "_meta")
	if rest := rawmsg.Without(meta, consent.AnsweredBy); string(rest) != "{}" {
		bare = rawmsg.Set(bare, "_meta", rest)
	}
	return bare, consent.ParseClient(who)
}

func closeAll(h *Hub, all ...io.Closer) {
	for _, c := range all {
		if err := c.Close(); err != nil {
			h.log.Debug("closing a connection", "error", err)
		}
	}
}
