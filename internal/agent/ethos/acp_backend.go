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
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// acpBackend is a conversation with `ethos acp`. The first prompt starts the
// child. A later prompt restarts it if it has exited, or still works on an
// abandoned turn. Ethos stores conversations on disk by their key, so a new
// child continues where the last one stopped.
type acpBackend struct {
	config ACPConfig
	cwd    string
	log    *slog.Logger

	// Used only by Turn and Close.
	client   *acpClient
	decoder  dialect.Decoder // for all of the child's output, because it has one plan
	key      string          // identifies the conversation; "" before there is one
	reported string          // the key that was last reported as state
	// recalled means that the conversation is from an earlier session, and that
	// Ethos was not asked yet whether it still has it.
	recalled bool
	bound    bool // the conversation already has a personality

	mu      sync.Mutex
	running *jsonrpc.Feed // of the prompt that Cancel applies to; nil if none is running
}

// Turn implements [lifecycle.Backend].
func (b *acpBackend) Turn(ctx context.Context, t *lifecycle.Turn) error {
	if err := b.connect(ctx, t.Cancelled()); err != nil {
		return err // after a cancel, nobody sees it
	}
	b.keep(t)
	events, ok := b.sendPrompt(t)
	if !ok {
		return nil // cancelled while Ethos was starting
	}
	defer b.setRunning(nil)
	// Ensure that a reader waiting for events sees the end of the turn.
	defer context.AfterFunc(ctx, func() { _ = events.CloseWithError(ctx.Err()) })()
	err := t.Pump(events, cancellable{b.decoder, t.Cancelled()})
	events.Abandon() // drop the remaining events
	if err != nil {
		return err
	}
	if b.client.busy() {
		return b.client.exitError("during a turn")
	}
	return nil
}

// keep reports the key under which Ethos stores the conversation, and tells the
// user if Ethos has lost the previous one.
func (b *acpBackend) keep(t *lifecycle.Turn) {
	if b.key == b.reported {
		return
	}
	if b.reported != "" {
		t.Restart("Ethos")
	}
	b.reported = b.key
	t.Emit(agent.KeyState(b.key))
}

// sendPrompt sends the prompt, unless the turn was cancelled. It holds the lock, so
// that a later cancel finds the prompt's id, and an earlier one prevents the
// prompt.
func (b *acpBackend) sendPrompt(t *lifecycle.Turn) (events *jsonrpc.Feed, ok bool) {
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

// connect starts a child if none can take a prompt. It kills a child that is not
// ready when the user cancels, because it may never be.
func (b *acpBackend) connect(ctx context.Context, cancelled <-chan struct{}) error {
	if b.client != nil && b.client.usable() {
		return nil
	}
	b.disconnect()
	c, err := startACP(child.Spec{Args: b.config.Args, Dir: b.cwd, Env: b.config.Env, Stdin: true, Log: b.log}, b.log)
	if err != nil {
		return lifecycle.NewError(codeNotStarted, fmt.Sprintf("%v. Install Ethos, or name its command in the configuration", err), err)
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

// initialize performs the handshake that Ethos requires before the first prompt.
func (b *acpBackend) initialize(ctx context.Context) error {
	if err := b.client.call(ctx, "initialize", struct{}{}, nil); err != nil {
		return err
	}
	if b.recalled {
		var found struct {
			Exists bool `json:"exists"`
		}
		// If Ethos can't tell, assume that it has the conversation.
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
		return lifecycle.NewError(codeNotStarted, "`"+b.config.Args[0]+"` opened no session. Check that it is a recent version of Ethos.", nil)
	}
	b.key = session.SessionKey
	return nil
}

// disconnect kills the child, if there is one.
func (b *acpBackend) disconnect() {
	if b.client != nil {
		b.client.kill()
		b.client = nil
	}
}

// Confirm implements [lifecycle.Backend]. `ethos acp` requests no confirmations.
func (b *acpBackend) Confirm(context.Context, agent.ConfirmationResponse) error { return nil }

// Answer implements [lifecycle.Backend].
func (b *acpBackend) Answer(context.Context, agent.QuestionResponse) error { return nil }

// Cancel implements [lifecycle.Backend]. The request gets its own id, distinct from
// the prompt's.
func (b *acpBackend) Cancel(context.Context, string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.running != nil {
		b.client.conn.Send("cancel", map[string]any{"requestId": b.running.Request})
	}
	return nil
}

// Close implements [lifecycle.Backend].
func (b *acpBackend) Close(ctx context.Context) error {
	if b.client == nil {
		return nil
	}
	b.client.stop(ctx)
	return nil
}
