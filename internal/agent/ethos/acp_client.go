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
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// streamPrefix is how Ethos starts the notifications of a prompt. Other lines are
// parsed.
var streamPrefix = []byte(`{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":`)

// acpClient talks to one child. It reads all of the child's output. It forwards
// the events and the response of the running prompt to their reader, and drops
// those of an abandoned prompt.
type acpClient struct {
	child *child.Child
	name  string
	conn  *jsonrpc.Conn
	work  sync.WaitGroup
	ended chan struct{} // closed when the child can send nothing more

	mu     sync.Mutex
	feed   *jsonrpc.Feed // of the unanswered prompt, or nil
	prefix []byte        // how the lines with its events begin
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

// busy reports whether a prompt is unanswered.
func (a *acpClient) busy() bool { return a.current() != nil }

func (a *acpClient) current() *jsonrpc.Feed {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.feed
}

// prompt sends a prompt and returns its events, line by line, up to and including
// its response. The reader must close the feed.
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

// Message implements [jsonrpc.Handler]. The running prompt gets everything except
// the events and responses of other requests.
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

// Unread implements [jsonrpc.Handler]. Ethos sends no requests.
func (a *acpClient) Unread([]byte, error) {}

// Flush implements [jsonrpc.Handler].
func (a *acpClient) Flush() {
	if f := a.current(); f != nil {
		f.Flush()
	}
}

// call sends a request and waits for its response.
func (a *acpClient) call(ctx context.Context, method string, params, result any) error {
	answer, err := a.conn.Call(ctx, method, params, nil)
	if refusal, refused := errors.AsType[*jsonrpc.Error](err); refused {
		return a.refused(method, refusal)
	}
	switch {
	case errors.Is(err, errEnded):
		return a.exitError("before it was ready")
	case err != nil || result == nil:
		return err
	}
	if err := exactjson.Unmarshal(answer.Result, result); err != nil {
		return lifecycle.NewError(codeNotStarted, fmt.Sprintf("`%s` sent an unexpected %s response. Check that it is Ethos.", a.name, method), err)
	}
	return nil
}

func (a *acpClient) refused(method string, refusal *jsonrpc.Error) error {
	var answer struct {
		Message string `json:"message"`
	}
	if err := exactjson.Unmarshal(refusal.Raw, &answer); err != nil || answer.Message == "" {
		answer.Message = "no reason given"
	}
	return lifecycle.NewError(codeNotStarted, fmt.Sprintf("`%s` refused %s: %s", a.name, method, answer.Message), nil)
}

// exitError waits for the exit of a child that sends nothing more, and returns an error
// that says how it exited.
func (a *acpClient) exitError(when string) error {
	status := a.child.Stop(context.Background())
	text := fmt.Sprintf("Ethos stopped (%s) %s.", status, when)
	if tail := a.child.StderrTail(); tail != "" {
		text += " Last lines of stderr: " + tail
	}
	text += " Its configuration is ~/.ethos/config.yaml; `ethos doctor` checks it."
	return lifecycle.NewError(codeExited, text, nil)
}

// end ends everything that waits for the child, because nothing more will arrive.
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

// stop stops the child, which may finish its work for a short while.
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

// requestOf returns the id of the prompt that a notification belongs to, or 0 if
// it is not one of ours.
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
