package process

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/tools"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/agent/transport/outbox"
)

// CodeNotStarted is the code of the error that reports that the command could
// not be started.
const CodeNotStarted = "agent_start_failed"

// CodeExited is the code of the error that reports that the command has exited.
const CodeExited = "agent_exited"

var errNotRunning = errors.New("the agent is not running; the next prompt starts it")

// startError is the error of a command that can't be started.
type startError struct {
	err  error
	hint string
}

// Error implements error.
func (e *startError) Error() string {
	if e.hint == "" {
		return e.err.Error()
	}
	return e.err.Error() + ": " + e.hint
}

// Code implements [lifecycle.Coded].
func (*startError) Code() string { return CodeNotStarted }

// backend is a conversation with a sequence of children.
type backend struct {
	config  Config
	options agent.Options

	protocol Protocol // nil if the child reads the commands of package agent
	early    *early   // the first child, if it is already running; nil once used

	tools *tools.Box

	introduced chan struct{} // closed when the agent has introduced itself, or has had enough time
	introduce  sync.Once

	mu     sync.Mutex
	run    *run // nil before the first prompt, unless the command was started earlier
	turnID string
	steers []lifecycle.Command // for the turn whose prompt was not sent yet
	info   *agent.Introduction // the agent's last introduction
}

func newBackend(c Config, o agent.Options) *backend {
	b := &backend{config: c, options: o, tools: tools.New(o, tools.Limits{}), introduced: make(chan struct{})}
	if c.Protocol != nil {
		b.protocol = c.Protocol(o)
		b.config.Dialect = b.protocol.Dialect()
	}
	return b
}

// encode encodes a command as lines, without the last newline. It returns nil if the child
// doesn't need the command.
func (b *backend) encode(command any) ([]byte, error) {
	if b.protocol == nil {
		return outbox.Encode(command)
	}
	var lines [][]byte
	for _, message := range b.protocol.Translate(command) {
		line, err := outbox.Encode(message)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return bytes.Join(lines, []byte("\n")), nil
}

// Tools implements [lifecycle.ToolUser].
func (b *backend) Tools() *tools.Box {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.info == nil || !b.info.Tools {
		return nil
	}
	return b.tools
}

// Introduced implements [lifecycle.Starter].
func (b *backend) Introduced() <-chan struct{} { return b.introduced }

// Start implements [lifecycle.Starter].
func (b *backend) Start(stream *lifecycle.Stream) error {
	patience, early := cmp.Or(b.config.GreetTimeout, DefaultGreetTimeout), b.early
	r, err := b.start(stream)
	if err != nil {
		return b.notStarted(err)
	}
	b.run = r
	if m := b.config.Memory; m != nil && early == nil {
		if known := m.Recall(); known != nil && !known.Known && !known.Brief {
			b.isIntroduced() // it did not introduce itself last time; if it does now, that is an update
			return nil
		}
	}
	if early != nil {
		patience = early.patience(patience)
	}
	timer := time.AfterFunc(patience, b.isIntroduced)
	go func() {
		defer timer.Stop()
		select {
		case <-stream.Settled():
			b.isIntroduced()
		case <-b.introduced:
		}
	}()
	return nil
}

func (b *backend) isIntroduced() { b.introduce.Do(func() { close(b.introduced) }) }

// notStarted returns the error of a command that can't be started, with a hint.
func (b *backend) notStarted(err error) error {
	e := &startError{err: err}
	switch {
	case b.config.Missing != "" && errors.Is(err, exec.ErrNotFound):
		e.hint = b.config.Missing
	case errors.Is(err, exec.ErrNotFound):
		e.hint = "install it, or give its full path"
	case errors.Is(err, fs.ErrNotExist):
		e.hint = "check the path"
	case errors.Is(err, fs.ErrPermission):
		e.hint = "check that it is executable"
	}
	return e
}

// Turn implements [lifecycle.Runner]. The child's events reach the receiver through
// the stream, and the receiver detects the end of the turn.
func (b *backend) Turn(ctx context.Context, t *lifecycle.Turn) error {
	p := t.Prompt
	p.Type = agent.CommandPrompt
	line, err := b.encode(p)
	if err != nil {
		return fmt.Errorf("encode the prompt: %w", err)
	}
	if m := b.options.Memory(); len(m.History) > 0 {
		p.History = m.History
	}
	b.awaitRecall(ctx, t)
	for replaced := false; ; replaced = true {
		sent, ended := b.prompt(t, line, p)
		if ended {
			return nil
		}
		if sent || replaced { // a new child that took no prompt has exited, and its error ends the turn
			break
		}
		if ok, err := b.replace(ctx, t); !ok || err != nil {
			return err
		}
	}
	select {
	case <-t.Ended():
		b.remember() // so that the next session does not wait for an agent that never introduces itself
	case <-ctx.Done():
	}
	return nil
}

// prompt sends the prompt to the child. sent is false if no child can take it.
// over is true if the turn was cancelled: nothing was sent, so the child will
// never end the turn. line is p without its history.
func (b *backend) prompt(t *lifecycle.Turn, line []byte, p agent.Prompt) (sent, ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-t.Cancelled():
		return false, true
	default:
	}
	if b.run == nil || !b.run.begin(t) {
		return false, false
	}
	if p.History != nil && !b.run.prompted && b.info != nil && b.info.History {
		if whole, err := b.encode(p); err == nil { // it was encoded before, so this can't fail
			line = whole
		}
	}
	b.turnID = t.Prompt.TurnID
	if !b.run.prompted {
		b.run.expectVoice()
	}
	b.run.prompted = true
	b.run.out.Put(line)
	b.sendSteers()
	return true, false
}

// replace starts a new child, after the previous one is gone: there are never
// two. ok is false if the turn has ended in the meantime.
func (b *backend) replace(ctx context.Context, t *lifecycle.Turn) (ok bool, err error) {
	b.mu.Lock()
	last := b.run
	b.mu.Unlock()
	if last != nil {
		last.kill()
		select {
		case <-last.exited:
		case <-t.Cancelled():
			return false, nil
		case <-ctx.Done():
			return false, nil
		}
	}
	if last != nil && last.forgets() && !t.Emit(last.forgotten()) {
		return false, nil
	}
	next, err := b.start(t.NewStream())
	if err != nil {
		return false, b.notStarted(err)
	}
	b.mu.Lock()
	b.run = next
	b.mu.Unlock()
	next.awaitGreeting(ctx, t)
	return true, nil
}

// Send implements [lifecycle.LineBackend].
func (b *backend) Send(c lifecycle.Command) error {
	text, err := b.encode(c.Line)
	if err != nil {
		return fmt.Errorf("encode a command: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch c.Line.(type) {
	case agent.SetOption:
		if b.run == nil || !b.run.reopen() {
			return errNotRunning
		}
	case agent.Cancel:
		if c.TurnID != b.turnID {
			return nil // its prompt was not sent, and will not be
		}
	case agent.Steer:
		if c.TurnID != b.turnID {
			b.steers = append(b.steers, c)
			return nil
		}
	}
	switch {
	case b.run == nil || len(text) == 0: // there is no child, or nothing to tell it
	case c.Refusal != nil:
		refusal, err := b.encode(c.Refusal)
		if err != nil {
			return fmt.Errorf("encode a refusal: %w", err)
		}
		b.run.out.Permit(text, refusal, c.Cancelled)
	default:
		b.run.out.Put(text)
	}
	return nil
}

// sendSteers sends the messages that came before the prompt of their turn was sent. The
// caller holds mu.
func (b *backend) sendSteers() {
	steers := b.steers
	b.steers = nil
	for _, c := range steers {
		if c.TurnID != b.turnID {
			continue // that turn was cancelled before its prompt was sent
		}
		if text, err := b.encode(c.Line); err == nil && len(text) > 0 { // Send encoded it before
			b.run.out.Put(text)
		}
	}
}

// Close implements [lifecycle.Runner].
func (b *backend) Close(ctx context.Context) error {
	b.mu.Lock()
	r := b.run
	b.mu.Unlock()
	b.isIntroduced()
	if r != nil {
		r.stop(ctx)
	}
	b.remember()
	return nil
}
