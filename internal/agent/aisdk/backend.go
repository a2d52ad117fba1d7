package aisdk

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/aisdk/chat"
	"github.com/turnwire/turnwire/internal/agent/aisdk/wire"
	"github.com/turnwire/turnwire/internal/agent/conversation"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/agent/transport/runs"
)

// backend is one conversation.
type backend struct {
	runs.Backend
	path     string // the chat route below the URL
	id       string // of the chat
	messages conversation.Log[*chat.Message]

	// These belong to the running turn.
	answer  *chat.Message // the agent's message; nil once it is saved
	decoder dialect.Decoder
	ended   bool // the stream has reported its end
}

// maxMessages limits the messages that are sent, in bytes.
const maxMessages = 32 << 20

// request is the body of a request, as the AI SDK's own transport sends it.
type request struct {
	ID       string            `json:"id"`
	Messages []json.RawMessage `json:"messages"`
	Trigger  string            `json:"trigger"`
}

// Turn implements [lifecycle.Backend].
func (b *backend) Turn(ctx context.Context, t *lifecycle.Turn) error { return b.Run(ctx, t, b) }

// Begin implements [runs.Conversation].
func (b *backend) Begin(t *lifecycle.Turn) {
	b.messages.Trim(maxMessages)
	b.WarnCut(t, b.messages.Cut)
	b.answer, b.ended = chat.Say(&b.messages, &t.Prompt), false
	b.decoder = conversation.NewDecoder(wire.Table, nil, b.add)
}

// Open implements [runs.Conversation].
func (b *backend) Open(ctx context.Context) (*httpsse.Stream, dialect.Decoder, error) {
	events, err := b.Client.Stream(ctx, http.MethodPost, b.path, request{b.id, b.messages.Encode(), "submit-message"}, "")
	return events, b.decoder, err
}

// add adds an element of the stream to the conversation before its events are emitted. If
// the turn ends with it, the conversation is saved, because nothing may follow the end.
func (b *backend) add(l *dialect.Line) bool {
	err := b.answer.Add(l)
	b.ended = err != nil || l.Name == "finish" || l.Name == "abort" || l.Name == "error"
	if b.ended && (l.Name != "finish" || len(b.answer.Asked()) == 0) {
		b.save(l.Emit)
	}
	if err != nil {
		l.Emit(&agent.Error{Error: err.Error(), Code: "agent_failed"})
	}
	return err == nil
}

// Phase implements [runs.Conversation].
func (b *backend) Phase(*lifecycle.Turn) runs.Phase {
	if b.ended {
		return runs.Ended
	}
	return runs.Running
}

// Next implements [runs.Conversation]. The answers to the message's approvals are part of the
// next request, whose stream continues the message.
func (b *backend) Next(ctx context.Context, t *lifecycle.Turn, failed error) (more bool, err error) {
	if failed == nil && b.answer != nil {
		answers, err := b.Answers.Wait(ctx, b.answer.Asked(), nil)
		if err == nil && !t.IsCancelled() {
			b.answer.Decide(answers)
			b.ended = false
			return true, nil
		}
	}
	b.save(t.Emit)
	return false, failed
}

// save ends the agent's message, and makes the conversation the session's state.
func (b *backend) save(emit func(agent.Event) bool) {
	if b.answer != nil {
		b.answer.Seal()
		b.answer = nil
		emit(&agent.State{State: b.messages.State()})
	}
}
