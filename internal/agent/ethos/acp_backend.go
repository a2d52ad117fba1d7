package ethos

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/ethos/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/agent/transport/turns"
)

// acpBackend is a conversation with `ethos acp`. The child is started by the
// first prompt, and again by the next where it has ended or still works on a
// turn that was abandoned. Ethos keeps conversations on disk by their key, so
// another child goes on where the last one was.
type acpBackend struct {
	config ACPConfig
	cwd    string
	log    *slog.Logger

	// Used by Turn and Close alone.
	client  *acpClient
	decoder dialect.Decoder // of all that the child says: it has one plan
	key     string          // names the conversation; "" before there is one
	kept    string          // the key that was told to be kept
	// recalled says that the conversation is of an earlier session, and that
	// nobody has asked yet whether Ethos has it.
	recalled bool
	bound    bool // to the personality that it has begun with

	mu      sync.Mutex
	running *jsonrpc.Feed // of the prompt that Cancel concerns; nil while none runs
}

// Turn implements [turns.Backend].
func (b *acpBackend) Turn(ctx context.Context, t *turns.Turn) error {
	if err := b.connect(ctx, t.Cancelled()); err != nil {
		return err // after a cancel nobody sees it
	}
	b.keep(t)
	events, ok := b.ask(t)
	if !ok {
		return nil // cancelled while Ethos was starting
	}
	defer b.setRunning(nil)
	// Whoever waits for events must see the end of the turn.
	defer context.AfterFunc(ctx, func() { _ = events.CloseWithError(ctx.Err()) })()
	err := t.Pump(events, cancellable{b.decoder, t.Cancelled()})
	events.Abandon() // what comes is dropped
	if err != nil {
		return err
	}
	if b.client.busy() {
		return b.client.gone("in the middle of a turn")
	}
	return nil
}

// keep tells under which key Ethos keeps the conversation, and that it has lost
// the one before.
func (b *acpBackend) keep(t *turns.Turn) {
	if b.key == b.kept {
		return
	}
	if b.kept != "" {
		t.Emit(&agent.Notice{Severity: "warning", Message: "Ethos does not know this conversation any more. This is the beginning of a new one."})
	}
	b.kept = b.key
	t.Emit(agent.KeyState(b.key))
}

// ask sends the prompt, unless the turn was cancelled. A cancel before it has no
// prompt to name; one after it finds the prompt's id.
func (b *acpBackend) ask(t *turns.Turn) (events *jsonrpc.Feed, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-t.Cancelled():
		return nil, false
	default:
	}
	params := map[string]any{"sessionKey": b.key, "text": t.Prompt.Text}
	if b.config.Personality != "" && !b.bound {
		params["personalityId"] = b.config.Personality
	}
	b.running = b.client.prompt(params)
	return b.running, true
}

func (b *acpBackend) setRunning(f *jsonrpc.Feed) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running = f
}

// connect starts a child where none can take a prompt. A child that is not ready
// when the user cancels is ended: it may never be.
func (b *acpBackend) connect(ctx context.Context, cancelled <-chan struct{}) error {
	if b.client != nil && b.client.usable() {
		return nil
	}
	b.disconnect()
	c, err := startACP(child.Spec{Args: b.config.Args, Dir: b.cwd, Env: b.config.Env, Stdin: true, Log: b.log}, b.log)
	if err != nil {
		return &agentError{codeNotStarted, fmt.Sprintf("%v. Install Ethos, or name its command in the configuration", err), err}
	}
	b.client, b.decoder = c, wire.Dialect.NewDecoder()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-cancelled:
			stop()
		case <-ctx.Done():
		}
	}()
	if err := b.initialize(ctx); err != nil {
		b.disconnect()
		return err
	}
	return nil
}

// initialize does what Ethos wants before the first prompt.
func (b *acpBackend) initialize(ctx context.Context) error {
	if err := b.client.call(ctx, "initialize", struct{}{}, nil); err != nil {
		return err
	}
	if b.recalled {
		var found struct {
			Exists bool `json:"exists"`
		}
		// One that cannot say it may have it.
		err := b.client.call(ctx, "resume_session", map[string]any{"sessionKey": b.key}, &found)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		b.recalled, b.bound = false, true
		if err == nil && !found.Exists {
			b.key, b.bound = "", false
		}
	}
	if b.key != "" {
		return nil
	}
	params := map[string]any{}
	if b.config.Personality != "" {
		params["personalityId"] = b.config.Personality
	}
	var session struct {
		SessionKey string `json:"sessionKey"`
	}
	if err := b.client.call(ctx, "new_session", params, &session); err != nil {
		return err
	}
	if session.SessionKey == "" {
		return &agentError{codeNotStarted, "`" + b.config.Args[0] + "` gave no session. Is it Ethos, and a recent one?", nil}
	}
	b.key = session.SessionKey
	return nil
}

// disconnect ends the child, if there is one.
func (b *acpBackend) disconnect() {
	if b.client != nil {
		b.client.kill()
		b.client = nil
	}
}

// Confirm implements [turns.Backend]. `ethos acp` asks for nothing.
func (b *acpBackend) Confirm(context.Context, agent.ConfirmationResponse) error { return nil }

// Answer implements [turns.Backend].
func (b *acpBackend) Answer(context.Context, agent.QuestionResponse) error { return nil }

// Cancel implements [turns.Backend]. The request has an id of its own, which
// must not be confused with that of the prompt.
func (b *acpBackend) Cancel(context.Context, string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.running != nil {
		b.client.conn.Send("cancel", map[string]any{"requestId": b.running.Request})
	}
	return nil
}

// Close implements [turns.Backend].
func (b *acpBackend) Close(ctx context.Context) error {
	if b.client == nil {
		return nil
	}
	b.client.stop(ctx)
	return nil
}
