// Package runs is what drivers share whose turn is a series of runs. A run is a POST
// request, answered with a stream of events. A run that needs the user's answer ends, and
// the next run's request carries the answer. Closing the stream cancels a run.
package runs

import (
	"context"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/conversation"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// A Backend is the part of a [lifecycle.Backend] that is the same for all protocols. The
// driver's backend embeds it, and its method Turn calls [Backend.Run].
type Backend struct {
	Protocol string // its name for users
	Client   *httpsse.Client
	Log      *slog.Logger
	Tap      func(line []byte) // if not nil, it is called with each line before it is decoded
	Answers  lifecycle.Answers[conversation.Answer]

	warned bool // the user knows that the oldest turns are missing
}

// Confirm implements [lifecycle.Backend]. The next run carries the decision.
func (b *Backend) Confirm(_ context.Context, r agent.ConfirmationResponse) error {
	b.Answers.Add(r.ConfirmationID, conversation.Answer{Decision: r})
	return nil
}

// Answer implements [lifecycle.Backend]. The next run carries the answer.
func (b *Backend) Answer(_ context.Context, r agent.QuestionResponse) error {
	b.Answers.Add(r.QuestionID, conversation.Answer{Response: r})
	return nil
}

// Cancel implements [lifecycle.Backend]. The turn's context has closed the stream.
func (*Backend) Cancel(context.Context, string) error { return nil }

// Close implements [lifecycle.Backend].
func (b *Backend) Close(context.Context) error {
	b.Client.Close()
	return nil
}

// Save reports the conversation as the session's state, or logs that it is too large if
// state is nil. If it returns false, the state must be saved again.
func (b *Backend) Save(emit func(agent.Event) bool, state agent.Raw) bool {
	if state == nil {
		b.Log.Warn("the conversation is too large to be saved", "limit", agent.MaxState)
		return true
	}
	return emit(&agent.State{State: state})
}

// WarnCut tells the user, once, that the oldest turns of the conversation are no longer
// sent.
func (b *Backend) WarnCut(t *lifecycle.Turn, cut bool) {
	if cut && !b.warned {
		t.Emit(&agent.Notice{Severity: "warning", Message: "This conversation is too large: its oldest messages are no longer sent to the agent."})
	}
	b.warned = cut
}
