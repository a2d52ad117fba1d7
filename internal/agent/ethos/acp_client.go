package ethos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"

	"github.com/turnwire/turnwire/internal/agent/ethos/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// streamPrefix is how Ethos begins the notifications of a prompt. Lines that begin
// otherwise are parsed.
var streamPrefix = []byte(`{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":`)

// acpClient speaks with one child. It reads all that the child prints, at any
// time, and forwards the events of the prompt that runs, and its answer, to
// whoever waits for them; those of an abandoned prompt are dropped.
type acpClient struct {
	child *child.Child
	name  string
	conn  *jsonrpc.Conn
	work  sync.WaitGroup
	ended chan struct{} // closed when the child can say nothing more

	mu     sync.Mutex
	feed   *jsonrpc.Feed // of the prompt that is not answered; nil otherwise
	prefix []byte        // how the lines of its events begin
}

var errEnded = errors.New("the child has ended")

// startACP starts a child.
func startACP(s child.Spec, log *slog.Logger) (*acpClient, error) {
	c, err := child.Start(s)
	if err != nil {
		return nil, err
	}
	a := &acpClient{child: c, name: s.Args[0], conn: jsonrpc.New(log, c.Kill), ended: make(chan struct{})}
	a.work.Go(func() {
		defer a.end()
		if err := a.conn.Read(c.Stdout(), a); err != nil {
			log.Warn("cannot read from Ethos", "error", err)
		}
	})
	a.work.Go(func() {
		if err := a.conn.Write(c.Stdin()); err != nil {
			log.Debug("the stdin of Ethos is closed", "error", err)
		}
	})
	return a, nil
}

// usable reports whether the child can take a prompt.
func (a *acpClient) usable() bool {
	select {
	case <-a.ended:
		return false
	default:
		return !a.busy()
	}
}

// busy reports whether a prompt was not answered.
func (a *acpClient) busy() bool { return a.current() != nil }

func (a *acpClient) current() *jsonrpc.Feed {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.feed
}

// prompt sends a prompt and returns what comes of it, line by line, up to and
// including its answer. Whoever reads them must close them.
func (a *acpClient) prompt(params any) *jsonrpc.Feed {
	a.mu.Lock()
	defer a.mu.Unlock()
	id := a.conn.Send("prompt", params)
	f := jsonrpc.NewFeed(id)
	a.feed = f
	a.prefix = append(strconv.AppendInt(bytes.Clone(streamPrefix), id, 10), ',')
	select {
	case <-a.ended: // nothing else will end the feed
		f.End(nil)
	default:
	}
	return f
}

// Line implements [jsonrpc.Handler].
func (a *acpClient) Line(line []byte) bool {
	a.mu.Lock()
	f, prefix := a.feed, a.prefix
	a.mu.Unlock()
	if f == nil || !bytes.HasPrefix(line, prefix) {
		return false
	}
	f.Add(line)
	return true
}

// Message implements [jsonrpc.Handler]. The running prompt gets everything but
// the events and answers of other requests.
func (a *acpClient) Message(line []byte, m jsonrpc.Message) error {
	f := a.current()
	switch id, _ := m.Number(); {
	case f == nil || m.Method == wire.StreamMethod && requestOf(m.Params) != f.Request:
	case !m.IsResponse():
		f.Add(line)
	case id == f.Request:
		a.mu.Lock()
		a.feed = nil
		a.mu.Unlock()
		f.Add(line)
		f.End(nil)
	}
	return nil
}

// Unread implements [jsonrpc.Handler]. Ethos asks for nothing.
func (a *acpClient) Unread([]byte, error) {}

// Flush implements [jsonrpc.Handler].
func (a *acpClient) Flush() {
	if f := a.current(); f != nil {
		f.Flush()
	}
}

// call sends a request and waits for its answer.
func (a *acpClient) call(ctx context.Context, method string, params, result any) error {
	answer, err := a.conn.Call(ctx, method, params, nil)
	if refusal, refused := errors.AsType[*jsonrpc.Error](err); refused {
		return a.refused(method, refusal)
	}
	switch {
	case errors.Is(err, errEnded):
		return a.gone("before it was ready")
	case err != nil || result == nil:
		return err
	}
	if err := exactjson.Unmarshal(answer.Result, result); err != nil {
		return &agentError{codeNotStarted, fmt.Sprintf("`%s` answered %s with what Ethos would not. Is it Ethos?", a.name, method), err}
	}
	return nil
}

func (a *acpClient) refused(method string, refusal *jsonrpc.Error) error {
	var answer struct {
		Message string `json:"message"`
	}
	if err := exactjson.Unmarshal(refusal.Raw, &answer); err != nil || answer.Message == "" {
		answer.Message = "it gives no reason"
	}
	return &agentError{codeNotStarted, fmt.Sprintf("`%s` refused %s: %s", a.name, method, answer.Message), nil}
}

// gone waits for the end of a child that says nothing more, and returns an error
// that says how it ended.
func (a *acpClient) gone(when string) error {
	status := a.child.Stop(context.Background())
	text := fmt.Sprintf("`%s` exited (%s) %s", a.name, status, when)
	if tail := a.child.StderrTail(); tail != "" {
		text += "; the end of its stderr: " + tail
	}
	text += ". Its configuration is ~/.ethos/config.yaml; `ethos doctor` checks it"
	return &agentError{codeExited, text, nil}
}

// end ends what waits for the child: nothing more will come.
func (a *acpClient) end() {
	a.mu.Lock()
	close(a.ended)
	f := a.feed
	a.mu.Unlock()
	a.conn.Close(errEnded)
	if f != nil {
		f.End(nil)
	}
}

// kill ends the child at once.
func (a *acpClient) kill() {
	a.child.Kill()
	a.finish()
}

// stop ends the child: it may end its work first, for a short while.
func (a *acpClient) stop(ctx context.Context) {
	a.child.Stop(ctx)
	a.finish()
}

func (a *acpClient) finish() {
	if f := a.current(); f != nil {
		f.Abandon()
	}
	a.child.Close()
	a.conn.Close(errEnded)
	a.work.Wait()
}

// requestOf returns the id of the prompt that a notification belongs to, 0 where
// it is not a prompt of ours.
func requestOf(params []byte) int64 {
	o := rawjson.Walk(params)
	for {
		key, value, ok := o.Next()
		if !ok {
			return 0
		}
		if string(key) == "requestId" {
			id, err := strconv.ParseInt(string(value), 10, 64)
			if err != nil {
				return 0
			}
			return id
		}
	}
}
