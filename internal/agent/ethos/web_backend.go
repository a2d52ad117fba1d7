package ethos

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/ethos/chat"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/agent/transport/requests"
)

// webBackend is a conversation through the web API. A turn opens the
// conversation's stream and then sends the message. A new conversation has no
// stream before its first message, which Ethos then repeats in the stream.
type webBackend struct {
	login   *login
	log     *slog.Logger
	pace    pace
	chat    *chat.Conversation
	decoder dialect.Decoder                // for all turns, because they share one plan
	client  atomic.Pointer[httpsse.Client] // nil before there is one
}

// connect creates the client, once it is known how to sign in. It may be called
// concurrently.
func (b *webBackend) connect(ctx context.Context) error {
	if b.client.Load() != nil {
		return nil
	}
	config, err := b.login.remote(ctx)
	if err != nil {
		return err
	}
	config.Log = cmp.Or(config.Log, b.log)
	client, err := httpsse.New(config)
	if err == nil {
		b.client.CompareAndSwap(nil, client)
	}
	return err
}

// rpc calls a procedure of Ethos. Input and output are wrapped in a "json"
// member.
func (b *webBackend) rpc(ctx context.Context, procedure string, in, out any) error {
	client := b.client.Load()
	if client == nil {
		return nil // nothing has been requested from Ethos yet
	}
	type envelope struct {
		JSON any `json:"json"`
	}
	var into any
	if out != nil {
		into = &envelope{out}
	}
	return client.Call(ctx, http.MethodPost, "/rpc/"+procedure, envelope{in}, into)
}

// abort stops the running turn.
func (b *webBackend) abort(ctx context.Context) error {
	id := b.chat.ID()
	if id == "" {
		return nil // the sender of the message will abort the turn
	}
	return b.rpc(ctx, "chat/abort", map[string]string{"sessionId": id}, nil)
}

// deliver sends an answer.
func (b *webBackend) deliver(ctx context.Context, a requests.Answer) error {
	procedure, input := chat.Call(a)
	err := b.rpc(ctx, procedure, input, nil)
	switch {
	case httpsse.HasStatus(err, http.StatusBadRequest, http.StatusNotFound):
		// Another window was quicker.
		b.log.Info("Ethos no longer waited for an answer", "error", err)
		return nil
	case a.Question && httpsse.HasStatus(err, http.StatusForbidden):
		return lifecycle.NewError("http_403", "Ethos does not accept answers from API keys. Answer in its web UI, "+
			"or sign in with the header Cookie: ethos_auth=TOKEN, where TOKEN is the content of ~/.ethos/web-token", err)
	}
	return err
}

// refuseAll refuses all pending requests of Ethos, because nothing else would
// release them.
func (b *webBackend) refuseAll(ctx context.Context) error {
	return b.chat.Requests.RefuseAll(ctx, b.deliver)
}

// Confirm implements [lifecycle.Backend].
func (b *webBackend) Confirm(ctx context.Context, r agent.ConfirmationResponse) error {
	return b.chat.Requests.Confirm(ctx, r, b.deliver)
}

// Answer implements [lifecycle.Backend].
func (b *webBackend) Answer(ctx context.Context, r agent.QuestionResponse) error {
	return b.chat.Requests.Answer(ctx, r, b.deliver)
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
