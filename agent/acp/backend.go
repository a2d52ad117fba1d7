package acp

import (
	"context"
	"errors"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/agent/transport/turns"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// backend is one conversation, with one child after another.
type backend struct {
	config  Config
	options agent.Options
	floor   chan struct{} // holds one token: whoever has it may use the decoder
	news    chan struct{} // holds one where there is something to announce

	mu       sync.Mutex
	conn     *conn
	prompted bool // the running turn's prompt is on its way
	spoken   bool // an agent that is gone has had prompts
}

func newBackend(c Config, o agent.Options) *backend {
	return &backend{config: c, options: o, floor: make(chan struct{}, 1), news: make(chan struct{}, 1)}
}

const forgotten = "The agent was started anew: it does not know what was said before."

// Turn implements [turns.Backend].
func (b *backend) Turn(ctx context.Context, t *turns.Turn) error {
	select {
	case b.floor <- struct{}{}:
		defer func() { <-b.floor }()
	case <-t.Cancelled():
		return nil
	case <-ctx.Done():
		return nil
	}
	l, err := b.connect(ctx, t)
	if l == nil || err != nil {
		return err
	}
	err = b.prompt(ctx, t, l)
	if !errors.Is(err, errLost) {
		return err
	}
	// The agent has done nothing yet, for it does not know for whom.
	if err := l.newSession(ctx); err != nil {
		return err
	}
	if !t.Emit(&agent.Notice{Severity: "warning", Message: "The agent had lost the session: it does not know what was said before."}) {
		return nil
	}
	return b.prompt(ctx, t, l)
}

// connect returns a connection that is ready. It is nil where the turn ended
// meanwhile.
func (b *backend) connect(ctx context.Context, t *turns.Turn) (*conn, error) {
	l := b.current()
	if l != nil && !l.usable() {
		// It is gone, has never come to be of use, or is still busy with a turn
		// that was given up.
		b.drop(l)
		l = nil
	}
	if l == nil {
		var spoken bool
		var err error
		if l, spoken, err = b.start(); err != nil {
			return nil, err
		}
		if spoken && !t.Emit(&agent.Notice{Severity: "warning", Message: forgotten}) {
			return nil, nil
		}
	}
	select {
	case <-l.ready:
	case <-t.Cancelled(): // it goes on to start, for the next prompt
		return nil, nil
	case <-ctx.Done():
		return nil, nil
	}
	if l.failed != nil {
		b.drop(l)
		return nil, l.failed
	}
	return l, nil
}

// start starts the agent, and reports whether another one before it has had
// prompts.
func (b *backend) start() (l *conn, spoken bool, err error) {
	l, err = start(b.config, b.options, b.tell)
	if err != nil {
		return nil, false, &userError{codeNoStart, err.Error(), err}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	spoken, b.spoken = b.spoken, false
	b.conn = l
	return l, spoken, nil
}

// prompt gives l the prompt and hands over what it says until its answer.
func (b *backend) prompt(ctx context.Context, t *turns.Turn, l *conn) error {
	blocks, err := l.blocks(t.Prompt)
	if err != nil {
		return err
	}
	id := l.rpc.NextID()
	line, err := jsonrpc.EncodeRequest(id, v1.MethodSessionPrompt, promptRequest{l.session, blocks})
	if err != nil {
		return err
	}
	l.decoder.begin()
	f, err := l.open(id, t.Cancelled())
	if err != nil {
		return err
	}
	defer l.shut(ctx, f)
	stop := context.AfterFunc(ctx, f.Abandon)
	defer stop()
	if !b.give(t, l, id, line) {
		return nil
	}
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.prompted = false
	}()
	if err := t.Pump(f, l.decoder); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// give sends the prompt, unless the turn was cancelled: a cancel must not
// overtake it, or would cancel nothing.
func (b *backend) give(t *turns.Turn, l *conn, id int64, line []byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-t.Cancelled():
		return false
	default:
	}
	b.prompted, b.spoken = true, true
	l.prompting(id)
	l.rpc.Put(line)
	return true
}

// Confirm implements [turns.Backend].
func (b *backend) Confirm(_ context.Context, r agent.ConfirmationResponse) error {
	if l := b.current(); l != nil {
		return l.confirm(r)
	}
	return nil
}

// Answer implements [turns.Backend].
func (b *backend) Answer(_ context.Context, r agent.QuestionResponse) error {
	if l := b.current(); l != nil {
		return l.answer(r)
	}
	return nil
}

// Cancel implements [turns.Backend].
func (b *backend) Cancel(context.Context, string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn == nil || !b.prompted {
		return nil
	}
	b.conn.cancel()
	return nil
}

// Close implements [turns.Backend].
func (b *backend) Close(ctx context.Context) error {
	if l := b.current(); l != nil {
		l.close(ctx)
	}
	return nil
}

func (b *backend) current() *conn {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.conn
}

// drop ends a connection that is of no use any more.
func (b *backend) drop(l *conn) {
	b.mu.Lock()
	b.conn = nil
	b.mu.Unlock()
	l.kill()
}
