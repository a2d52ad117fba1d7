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
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// Reasons for denying calls, for the model and its log.
const (
	reasonUser      = "the user refused"
	reasonCancelled = "cancelled before a decision"
	reasonAmbiguous = "two pending calls have the same ID, so it is unclear which one was approved"
)

// farewell limits the calls to Ethos at the end of a turn that was cut off.
const farewell = 3 * time.Second

// lastOfAll stands for the last event of a continued conversation. Ethos
// repeats the events after a given one, and those of an earlier session were
// seen. It is the largest number that Ethos can distinguish from its successor.
const lastOfAll = "9007199254740991"

// webBackend is a conversation through the web API. A turn opens the
// conversation's stream and then sends the message. A new conversation has no
// stream before its first message, which Ethos then repeats in the stream.
type webBackend struct {
	login      *login
	configured string // the personality of new conversations; "" if Ethos chooses
	log        *slog.Logger
	pace       pace
	pending    *pending
	unread     atomic.Bool // no tool has ended since the last advice
	connecting sync.Mutex
	client     atomic.Pointer[httpsse.Client] // nil before there is one

	// Used only by Turn.
	decoder  dialect.Decoder // for all turns, because they share one plan
	lastID   string          // id of the last event received
	leftover leftover

	mu          sync.Mutex
	id          string // of the conversation; "" before there is one
	personality string // the personality that answers; "" if Ethos chooses
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

// chosen returns the chosen personality.
func (b *webBackend) chosen() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.personality
}

// Turn implements [lifecycle.Backend].
func (b *webBackend) Turn(ctx context.Context, t *lifecycle.Turn) error {
	if err := b.connect(ctx); err != nil {
		return err
	}
	w := &webTurn{backend: b, turn: t, decoder: cancellable{b.decoder, t.Cancelled()}, leftover: b.leftover}
	defer w.leave(ctx)
	stream, err := w.start(ctx)
	if err != nil {
		return err
	}
	t.Keep(b.session())
	if w.isCancelled() { // the cancel may have come before the session had an id
		if err := b.abort(ctx); err != nil {
			b.log.Warn("a turn could not be aborted", "error", err)
		}
	}
	return w.follow(ctx, stream)
}

// connect creates the client, once it is known how to sign in.
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

// Confirm implements [lifecycle.Backend]. An answer without the approval's id may
// apply to any approval of the call. If several are pending, it is consent to
// none.
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

// Answer implements [lifecycle.Backend].
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

// Cancel implements [lifecycle.Backend]. Ethos obeys an abort only when it waits
// for no answer.
func (b *webBackend) Cancel(ctx context.Context, _ string) error {
	return errors.Join(b.refuseAll(ctx), b.abort(ctx))
}

// Close implements [lifecycle.Backend]. Requests that are still open could not be
// answered earlier, and usually can't be answered now.
func (b *webBackend) Close(ctx context.Context) error {
	client := b.client.Load()
	if client == nil {
		return nil
	}
	defer client.Close()
	if err := b.refuseAll(ctx); err != nil {
		b.log.Warn("Ethos waits for a question that nobody will answer", "error", err)
	}
	return nil
}
