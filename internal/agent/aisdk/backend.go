package aisdk

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/aisdk/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// backend is one conversation.
type backend struct {
	client   *httpsse.Client
	path     string            // the chat route below the URL
	id       string            // of the chat
	messages []json.RawMessage // used only by Turn

	mu        sync.Mutex
	stop      context.CancelFunc                    // ends the turn; nil between turns
	decisions map[string]agent.ConfirmationResponse // by approval
	changed   chan struct{}                         // has a value after a decision
}

// request is the body of a request, as the AI SDK's own transport sends it.
type request struct {
	ID       string            `json:"id"`
	Messages []json.RawMessage `json:"messages"`
	Trigger  string            `json:"trigger"`
}

// Turn implements [lifecycle.Backend].
func (b *backend) Turn(ctx context.Context, t *lifecycle.Turn) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if !b.begin(t, stop) {
		return ctx.Err()
	}
	defer b.finish()
	b.messages = append(b.messages, userMessage(&t.Prompt))
	m, d := &message{id: "answer-" + t.Prompt.TurnID}, wire.Dialect.NewDecoder()
	defer b.save(t, m)
	for {
		if ended, err := b.stream(ctx, t, m, d); ended || err != nil {
			return err
		}
		decisions, err := b.wait(ctx, m.asked())
		if err != nil {
			return err
		}
		if isCancelled(t) {
			<-ctx.Done() // the cancel is about to end it
			return ctx.Err()
		}
		m.decide(decisions)
	}
}

func isCancelled(t *lifecycle.Turn) bool { return isClosed(t.Cancelled()) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// stream sends all messages and emits the events of the response. ended is false if the
// turn continues once the approvals in m are decided.
func (b *backend) stream(ctx context.Context, t *lifecycle.Turn, m *message, d dialect.Decoder) (ended bool, err error) {
	body := request{b.id, b.messages, "submit-message"}
	if len(m.parts) > 0 {
		body.Messages = append(slices.Clip(b.messages), m.encode())
	}
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
		kind, err := m.add(line)
		if err != nil {
			return false, err
		}
		waits := kind == "finish" && len(m.asked()) > 0
		if ended = !waits && (kind == "finish" || kind == "abort" || kind == "error"); ended {
			b.save(t, m) // nothing may follow the end
		}
		if !t.Decode(d, line) || ended || waits {
			return !waits || isClosed(t.Ended()), nil
		}
	}
	return false, &cutOffError{b.client.URL()}
}

// save adds the agent's message to the conversation, which becomes the session's state.
// A second call has no effect.
func (b *backend) save(t *lifecycle.Turn, m *message) {
	if m.saved {
		return
	}
	m.saved = true
	m.seal()
	if len(m.parts) > 0 {
		b.messages = append(b.messages, m.encode())
	}
	t.Emit(&agent.State{State: state(b.messages)})
}

// begin starts a turn, unless it is cancelled.
func (b *backend) begin(t *lifecycle.Turn, stop context.CancelFunc) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if isCancelled(t) {
		return false
	}
	b.stop, b.decisions, b.changed = stop, map[string]agent.ConfirmationResponse{}, make(chan struct{}, 1)
	return true
}

func (b *backend) finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stop = nil
}

// wait returns the decisions on all of these approvals. They may arrive as soon as the
// user sees them.
func (b *backend) wait(ctx context.Context, ids []string) (map[string]agent.ConfirmationResponse, error) {
	for {
		b.mu.Lock()
		decisions := maps.Clone(b.decisions)
		b.mu.Unlock()
		if !slices.ContainsFunc(ids, func(id string) bool { _, ok := decisions[id]; return !ok }) {
			return decisions, nil
		}
		select {
		case <-b.changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Confirm implements [lifecycle.Backend].
func (b *backend) Confirm(_ context.Context, r agent.ConfirmationResponse) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stop == nil {
		return nil // the turn is over
	}
	if _, decided := b.decisions[r.ConfirmationID]; !decided {
		b.decisions[r.ConfirmationID] = r
	}
	select {
	case b.changed <- struct{}{}:
	default:
	}
	return nil
}

// Answer implements [lifecycle.Backend]. There are no questions.
func (*backend) Answer(context.Context, agent.QuestionResponse) error { return nil }

// Cancel implements [lifecycle.Backend]. It closes the stream, which aborts the run.
func (b *backend) Cancel(context.Context, string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stop != nil {
		b.stop()
	}
	return nil
}

// Close implements [lifecycle.Backend].
func (b *backend) Close(context.Context) error {
	b.client.Close()
	return nil
}

// cutOffError reports that a stream ended before the turn did.
type cutOffError struct{ url string }

// Error implements error.
func (e *cutOffError) Error() string {
	return "the stream of " + e.url + " ended before the turn did. See the server's log; the next prompt continues the conversation"
}

// Code implements [lifecycle.Coded].
func (*cutOffError) Code() string { return "agent_cut_off" }
