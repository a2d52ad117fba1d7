package ethos

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/ethos/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/turns"
)

// Reasons for which calls are denied, as the model and its log read them.
const (
	reasonUser      = "the user refused"
	reasonCancelled = "cancelled: nobody decided"
	reasonAmbiguous = "two calls with the same id wait, and it cannot be told which one was approved"
)

// farewell bounds the calls to Ethos at the end of a turn that was cut off.
const farewell = 3 * time.Second

// lastOfAll stands for the last event of a conversation that goes on: Ethos
// repeats what came after an event, and that of an earlier session was seen. It
// is the greatest number that Ethos can tell from the next one.
const lastOfAll = "9007199254740991"

// webBackend is a conversation through the web API. A turn opens the
// conversation's stream and then sends the message; a new conversation has no
// stream before its first message, which Ethos then repeats there.
type webBackend struct {
	login      *login
	configured string // the personality of new conversations, "" for the one that Ethos chooses
	log        *slog.Logger
	pace       pace
	pending    *pending
	unread     atomic.Bool // there is advice that no tool has ended since
	connecting sync.Mutex
	client     atomic.Pointer[httpsse.Client] // nil before there is one

	// Used by Turn alone.
	decoder  dialect.Decoder // of all turns: they have one plan
	lastID   string          // of the last event that came
	kept     string          // the id of the conversation that was told to be kept
	leftover leftover

	mu          sync.Mutex
	id          string // of the conversation, "" before there is one
	personality string // that answers, "" for the one that Ethos chooses
	say         func(agent.Event) bool
}

func (b *webBackend) session() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.id
}

func (b *webBackend) setSession(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.id = id; id == "" && b.personality == "" {
		b.personality = b.configured
	}
}

// chosen is the personality that is to answer.
func (b *webBackend) chosen() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.personality
}

// Turn implements [turns.Backend].
func (b *webBackend) Turn(ctx context.Context, t *turns.Turn) error {
	if err := b.connect(ctx); err != nil {
		return err
	}
	w := &webTurn{backend: b, turn: t, decoder: cancellable{b.decoder, t.Cancelled()}, leftover: b.leftover}
	defer w.leave(ctx)
	stream, err := w.start(ctx)
	if err != nil {
		return err
	}
	if id := b.session(); id != b.kept {
		b.kept = id
		t.Emit(agent.KeyState(id))
	}
	if w.isCancelled() { // the cancel may have come before there was a session to name
		if err := b.abort(ctx); err != nil {
			b.log.Warn("a turn could not be aborted", "error", err)
		}
	}
	return w.follow(ctx, stream)
}

// connect makes the client, once it is known how to sign in.
func (b *webBackend) connect(ctx context.Context) error {
	b.connecting.Lock()
	defer b.connecting.Unlock()
	if b.client.Load() != nil {
		return nil
	}
	config, err := b.login.remote(ctx)
	if err != nil {
		return err
	}
	if config.Log == nil {
		config.Log = b.log
	}
	client, err := httpsse.New(config)
	if err != nil {
		return err
	}
	b.client.Store(client)
	return nil
}

// Confirm implements [turns.Backend]. An answer without the approval's id may
// mean any approval of the call: where several wait, it is consent to none.
func (b *webBackend) Confirm(ctx context.Context, r agent.ConfirmationResponse) error {
	ids := b.pending.takeApprovals(r.ConfirmationID, r.ToolCallID)
	var failed []error
	for _, id := range ids {
		var err error
		switch {
		case len(ids) > 1:
			err = b.deny(ctx, id, reasonAmbiguous)
		case r.Decision == agent.AllowOnce:
			err = b.approve(ctx, id, wire.OptionOnce)
		case r.Decision == agent.AllowAlways && r.OptionID == wire.OptionAnyArgs:
			err = b.approve(ctx, id, wire.OptionAnyArgs)
		case r.Decision == agent.AllowAlways:
			err = b.approve(ctx, id, wire.OptionExactArgs)
		case r.Decision == agent.NotDecided && r.Reason != "":
			err = b.deny(ctx, id, r.Reason)
		case r.Decision == agent.NotDecided:
			err = b.deny(ctx, id, reasonCancelled)
		default:
			err = b.deny(ctx, id, reasonUser)
		}
		b.pending.answeredApproval(id, err == nil)
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// Answer implements [turns.Backend].
func (b *webBackend) Answer(ctx context.Context, r agent.QuestionResponse) error {
	if !b.pending.takeQuestion(r.QuestionID) {
		return nil
	}
	source, answer := sourceUser, r.Answer
	if r.Cancelled {
		source, answer = sourceCancel, ""
	}
	err := b.respond(ctx, r.QuestionID, answer, source)
	b.pending.answeredQuestion(r.QuestionID, err == nil)
	return err
}

// Cancel implements [turns.Backend]. Ethos heeds an abort only once it waits
// for no answer.
func (b *webBackend) Cancel(ctx context.Context, _ string) error {
	return errors.Join(b.refuseAll(ctx), b.abort(ctx))
}

// Close implements [turns.Backend]. What is still open could not be answered
// before, and mostly cannot be now.
func (b *webBackend) Close(ctx context.Context) error {
	client := b.client.Load()
	if client == nil {
		return nil
	}
	defer client.Close()
	if err := b.refuseAll(ctx); err != nil {
		b.log.Warn("Ethos waits for what nobody will answer", "error", err)
	}
	return nil
}
