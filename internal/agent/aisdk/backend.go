package aisdk

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/aisdk/chat"
	"github.com/turnwire/turnwire/internal/agent/aisdk/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// backend is one conversation. Only Turn uses its fields, except answers.
type backend struct {
	client *httpsse.Client
	path   string // the chat route below the URL
	id     string // of the chat
	chat   *chat.Chat

	answers lifecycle.Answers[agent.ConfirmationResponse]
}

// request is the body of a request, as the AI SDK's own transport sends it.
type request struct {
	ID       string            `json:"id"`
	Messages []json.RawMessage `json:"messages"`
	Trigger  string            `json:"trigger"`
}

// Turn implements [lifecycle.Backend].
func (b *backend) Turn(ctx context.Context, t *lifecycle.Turn) error {
	ctx, stop := t.UntilCancelled(ctx)
	defer stop()
	b.answers.Begin()
	if t.IsCancelled() {
		return nil
	}
	b.chat.Ask(&t.Prompt)
	defer b.save(t)
	d := wire.Dialect.NewDecoder()
	for {
		if ended, err := b.stream(ctx, t, d); ended || err != nil {
			return err
		}
		decisions, err := b.answers.Wait(ctx, b.chat.Asked(), nil)
		if err != nil || t.IsCancelled() {
			return context.Canceled
		}
		b.chat.Decide(decisions)
	}
}

// stream sends all messages and emits the events of the response. ended is false if the
// turn continues once the approvals are decided.
func (b *backend) stream(ctx context.Context, t *lifecycle.Turn, d dialect.Decoder) (ended bool, err error) {
	body := request{b.id, b.chat.Messages(), "submit-message"}
	events, err := b.client.Stream(ctx, http.MethodPost, b.path, body, "")
	if err != nil {
		return false, err
	}
	defer events.Close()
	for event, err := range events.All() {
		if err != nil {
			return false, err
		}
		line := rawjson.Valid(event.Line())
		kind, err := b.chat.Add(line)
		if err != nil {
			return false, err
		}
		waits := kind == "finish" && len(b.chat.Asked()) > 0
		if ended = !waits && (kind == "finish" || kind == "abort" || kind == "error"); ended {
			b.save(t) // nothing may follow the end
		}
		if !t.Decode(d, line) {
			return true, nil // the turn's receiver has stopped it
		}
		if ended || waits {
			return ended, nil
		}
	}
	return false, &httpsse.CutOffError{URL: b.client.URL()}
}

// save makes the conversation the session's state.
func (b *backend) save(t *lifecycle.Turn) {
	if b.chat.End() {
		t.Emit(&agent.State{State: b.chat.State()})
	}
}

// Confirm implements [lifecycle.Backend].
func (b *backend) Confirm(_ context.Context, r agent.ConfirmationResponse) error {
	b.answers.Add(r.ConfirmationID, r)
	return nil
}

// Answer implements [lifecycle.Backend]. There are no questions.
func (*backend) Answer(context.Context, agent.QuestionResponse) error { return nil }

// Cancel implements [lifecycle.Backend]. The turn's context has closed the stream, which
// aborts the run.
func (*backend) Cancel(context.Context, string) error { return nil }

// Close implements [lifecycle.Backend].
func (b *backend) Close(context.Context) error {
	b.client.Close()
	return nil
}
