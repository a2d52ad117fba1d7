package ethos

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"sync"

	"github.com/turnwire/turnwire/agent/transport/child"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// acpClient speaks with one child. It reads all that the child prints, at any
// time, and gives the events of the prompt that runs, and its answer, to
// whoever waits for them; those of an abandoned prompt are dropped.
type acpClient struct {
	child  *child.Child
	name   string
	log    *slog.Logger
	outbox *outbox
	work   sync.WaitGroup
	ended  chan struct{} // closed when the child can say nothing more

	mu      sync.Mutex
	last    int64                  // the id of the last request
	waiting map[int64]chan message // for answers to requests other than prompts
	out     *prompt                // the one that is not answered; nil otherwise
}

// A prompt is one that Ethos works on.
type prompt struct {
	id     int64
	prefix []byte // how the lines of its events begin
	events *io.PipeWriter
}

// startACP starts a child.
func startACP(s child.Spec, log *slog.Logger) (*acpClient, error) {
	c, err := child.Start(s)
	if err != nil {
		return nil, err
	}
	a := &acpClient{
		child:   c,
		name:    s.Args[0],
		log:     log,
		outbox:  newOutbox(),
		ended:   make(chan struct{}),
		waiting: make(map[int64]chan message),
	}
	a.work.Go(a.read)
	a.work.Go(func() {
		if err := a.outbox.writeTo(c.Stdin()); err != nil {
			log.Debug("the stdin of Ethos is closed", "error", err)
		}
	})
	return a, nil
}

// usable tells whether the child can take a prompt.
func (a *acpClient) usable() bool {
	select {
	case <-a.ended:
		return false
	default:
		return !a.busy()
	}
}

// busy tells whether a prompt was not answered.
func (a *acpClient) busy() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.out != nil
}

// send sends a request whose answer nobody waits for.
func (a *acpClient) send(method string, params any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last++
	a.put(method, params)
}

// put sends the request with the last id. It is called with mu held, so that
// requests go out in the order of their ids.
func (a *acpClient) put(method string, params any) {
	line, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		ID      int64  `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", a.last, method, params})
	if err != nil {
		a.log.Error("cannot encode a request", "method", method, "error", err)
		return
	}
	a.outbox.put(append(line, '\n'))
}

// prompt sends a prompt and returns what comes of it, line by line, up to and
// including its answer. Whoever reads them must close them.
func (a *acpClient) prompt(params any) (id int64, events *io.PipeReader) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last++
	r, w := io.Pipe()
	a.out = &prompt{id: a.last, events: w}
	a.out.prefix = append(append([]byte(nil), streamPrefix...), strconv.FormatInt(a.last, 10)+","...)
	a.put("prompt", params)
	select {
	case <-a.ended: // nobody else will say so
		_ = w.Close()
	default:
	}
	return a.last, r
}

// call sends a request and waits for its answer.
func (a *acpClient) call(ctx context.Context, method string, params, result any) error {
	answered := make(chan message, 1)
	a.mu.Lock()
	a.last++
	id := a.last
	a.waiting[id] = answered
	a.put(method, params)
	a.mu.Unlock()
	defer func() {
		a.mu.Lock()
		delete(a.waiting, id)
		a.mu.Unlock()
	}()
	select {
	case m := <-answered:
		return a.take(method, m, result)
	case <-a.ended:
		return a.gone("before it was ready")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// take takes an answer apart.
func (a *acpClient) take(method string, m message, result any) error {
	if m.fail != nil {
		var rpc struct {
			Message string `json:"message"`
		}
		if err := exactjson.Unmarshal(m.fail, &rpc); err != nil || rpc.Message == "" {
			rpc.Message = "it gives no reason"
		}
		return &agentError{codeNotStarted, fmt.Sprintf("`%s` refused %s: %s", a.name, method, rpc.Message), nil}
	}
	if result == nil {
		return nil
	}
	if err := exactjson.Unmarshal(m.result, result); err != nil {
		return &agentError{codeNotStarted, fmt.Sprintf("`%s` answered %s with what Ethos would not. Is it Ethos?", a.name, method), err}
	}
	return nil
}

// gone waits for the end of a child that says nothing more, and says how it
// ended.
func (a *acpClient) gone(when string) error {
	status := a.child.Stop(context.Background())
	text := fmt.Sprintf("`%s` exited (%s) %s", a.name, status, when)
	if tail := a.child.StderrTail(); tail != "" {
		text += "; the end of its stderr: " + tail
	}
	text += ". Its configuration is ~/.ethos/config.yaml; `ethos doctor` checks it"
	return &agentError{codeExited, text, nil}
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
	a.mu.Lock()
	if a.out != nil {
		_ = a.out.events.Close()
	}
	a.mu.Unlock()
	a.outbox.close()
	a.child.Close()
	a.work.Wait()
}
