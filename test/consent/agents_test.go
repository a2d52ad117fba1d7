package consent_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/acptransport"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/source/events"
	"github.com/turnwire/turnwire/internal/bridge/source/relay"
)

// What an agent may receive. none means that no option was chosen.
const (
	allow  = "allow_once"
	reject = "reject_once"
	none   = "none"
	cancel = "cancel"
)

// told records what an agent received, in order.
type told struct {
	mu   sync.Mutex
	list []string
}

func (l *told) add(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, what)
}

func (l *told) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string{}, l.list...)
}

// A kind is a kind of agent, and makes the source of its sessions. Each prompt asks for
// permission once. The agent continues after a cancel, so that it receives everything.
type kind struct {
	name   string
	source func(l *told, v core.View) core.Source
}

var kinds = []kind{
	{"events", func(l *told, v core.View) core.Source {
		return events.New(events.Config{Config: core.Config{Version: "1", Log: quiet, Key: "asking"}, Agent: asking{l}}, v)
	}},
	{"relay", func(l *told, v core.View) core.Source {
		start := func(s acptransport.Spec) (acptransport.Transport, error) { return startProgram(s, l), nil }
		return relay.New(relay.Config{Config: core.Config{Version: "1", Log: quiet}, Agent: relay.Agent{Name: "asking", Args: []string{"asking"}, Start: start}}, v)
	}},
}

var quiet = slog.New(slog.DiscardHandler)

// asking is an agent of events.
type asking struct{ *told }

// Info implements [agent.Agent].
func (asking) Info() agent.Info { return agent.Info{Name: "asking"} }

// Open implements [agent.Agent].
func (a asking) Open(context.Context, agent.Options) (agent.Session, error) {
	return lifecycle.NewSession(backend(a), agent.Options{Log: quiet}), nil
}

type backend struct{ *told }

// Turn implements [lifecycle.Backend].
func (backend) Turn(ctx context.Context, t *lifecycle.Turn) error {
	t.Emit(&agent.ConfirmationRequested{ToolCallID: "c", ToolName: "deploy", Decisions: []agent.Decision{agent.AllowOnce, agent.RejectOnce}})
	<-ctx.Done()
	return nil
}

// Confirm implements [lifecycle.Backend].
func (b backend) Confirm(_ context.Context, r agent.ConfirmationResponse) error {
	if r.Decision == agent.NotDecided {
		b.add(none)
		return nil
	}
	b.add(string(r.Decision))
	return nil
}

// Answer implements [lifecycle.Backend].
func (backend) Answer(context.Context, agent.QuestionResponse) error { return nil }

// Cancel implements [lifecycle.Backend].
func (b backend) Cancel(context.Context, string) error {
	b.add(cancel)
	return nil
}

// Close implements [lifecycle.Backend].
func (backend) Close(context.Context) error { return nil }

// A program is an agent that speaks ACP itself. It implements [acptransport.Link].
type program struct {
	*told
	name   string
	stdin  *io.PipeWriter
	stdout *io.PipeReader
	reads  *io.PipeReader
	writes *io.PipeWriter
	done   chan struct{}
	end    sync.Once
}

func startProgram(s acptransport.Spec, l *told) *program {
	p := &program{told: l, name: s.Name(), done: make(chan struct{})}
	p.reads, p.stdin = io.Pipe()
	p.stdout, p.writes = io.Pipe()
	go p.run()
	return p
}

// run answers requests until EOF on stdin.
func (p *program) run() {
	defer p.Kill()
	for lines := bufio.NewScanner(p.reads); lines.Scan(); {
		var m struct {
			ID     json.RawMessage
			Method string
			Result struct {
				Outcome struct{ Outcome, OptionID string }
			}
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			return
		}
		result := "{}"
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":1,"agentCapabilities":{},"authMethods":[]}`
		case "session/new":
			result = `{"sessionId":"s1"}`
		case "session/prompt":
			p.say(`{"jsonrpc":"2.0","id":"ask","method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c","title":"deploy"},` +
				`"options":[{"optionId":"allow_once","name":"Allow","kind":"allow_once"},{"optionId":"reject_once","name":"Reject","kind":"reject_once"}]}}`)
			continue
		case "session/cancel":
			p.add(cancel)
			continue
		case "":
			if what := m.Result.Outcome.OptionID; m.Result.Outcome.Outcome == "selected" {
				p.add(what)
			} else {
				p.add(none)
			}
			continue
		}
		if m.ID != nil {
			p.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
		}
	}
}

func (p *program) say(format string, args ...any) {
	_, _ = fmt.Fprintf(p.writes, format+"\n", args...) // fails once nobody reads
}

// Name implements [acptransport.Link].
func (p *program) Name() string { return p.name }

// Stdin implements [acptransport.Link].
func (p *program) Stdin() io.Writer { return p.stdin }

// Stdout implements [acptransport.Link].
func (p *program) Stdout() io.Reader { return p.stdout }

// Stop implements [acptransport.Link].
func (p *program) Stop(context.Context) { p.Close() }

// Kill implements [acptransport.Link].
func (p *program) Kill() {
	p.end.Do(func() {
		_ = p.writes.Close()
		_ = p.reads.Close()
		close(p.done)
	})
}

// Close implements [acptransport.Link].
func (p *program) Close() { p.Kill() }

// Done implements [acptransport.Link].
func (p *program) Done() <-chan struct{} { return p.done }

// End implements [acptransport.Link].
func (*program) End() string { return "exited" }

// StderrTail implements [acptransport.Link].
func (*program) StderrTail() string { return "" }
