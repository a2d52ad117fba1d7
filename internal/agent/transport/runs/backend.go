// Package runs is what drivers share whose turn is a series of runs. A run is a POST
// request, answered with a stream of events. A run that needs the user's answer ends, and
// the next run's request carries the answer. Closing the stream cancels a run.
package runs

import (
	"context"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// An Answer is the user's answer to a request. One of its members is set.
type Answer struct {
	Decision agent.ConfirmationResponse
	Response agent.QuestionResponse
}

// A Backend is the part of a [lifecycle.Backend] that is the same for all protocols. The
// driver's backend embeds it, and its method Turn calls [Backend.Run].
type Backend struct {
	Protocol string // its name for users
	Client   *httpsse.Client
	Log      *slog.Logger
	Answers  lifecycle.Answers[Answer]
}

// Confirm implements [lifecycle.Backend]. The next run carries the decision.
func (b *Backend) Confirm(_ context.Context, r agent.ConfirmationResponse) error {
	b.Answers.Add(r.ConfirmationID, Answer{Decision: r})
	return nil
}

// Answer implements [lifecycle.Backend]. The next run carries the answer.
func (b *Backend) Answer(_ context.Context, r agent.QuestionResponse) error {
	b.Answers.Add(r.QuestionID, Answer{Response: r})
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
// state is nil. It returns false if the state must be saved again, because nobody has
// received it.
func (b *Backend) Save(t *lifecycle.Turn, state agent.Raw) bool {
	if state == nil {
		b.Log.Warn("the conversation is too large to be saved", "limit", agent.MaxState)
		return true
	}
	return t.Emit(&agent.State{State: state})
}
