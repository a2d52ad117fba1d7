package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/turnwire/turnwire/protocol/rawmsg"
)

// What a question has ended with beside what the user has chosen.
const (
	outcomeCancelled = "cancelled"
	outcomeError     = "error"
	outcomeGone      = "connection_closed"
)

// outcomes are the kinds of options, and the actions of forms.
var outcomes = []string{"allow_once", "allow_always", "reject_once", "reject_always", "accept", "decline", "cancel", outcomeCancelled, outcomeError, outcomeGone}

// A question waits for the user.
type question struct {
	span    trace.Span
	begun   time.Time
	turn    *turn // may be nil
	call    *call // may be nil
	options map[string]string
}

// ask looks at a question of the agent.
func (w *Watcher) ask(line []byte, m message) []byte {
	if len(w.asking) >= maxAsked || m.params == nil {
		return line
	}
	q := &question{begun: time.Now(), turn: w.current(text(m.params, "sessionId")), options: make(map[string]string)}
	id := text(m.params, "toolCall", "toolCallId")
	if id == "" {
		id = text(m.params, "toolCallId")
	}
	parent := w.ctx
	if q.turn != nil {
		parent = q.turn.ctx
		if q.call = q.turn.calls[id]; q.call != nil {
			parent = q.call.ctx
		}
	}
	for _, o := range elements(member(m.params, "options")) {
		q.options[text(o, "optionId")] = text(o, "kind")
	}
	var ctx context.Context
	ctx, q.span = w.t.tracer.Start(parent, "confirm", trace.WithTimestamp(q.begun), trace.WithAttributes(w.agent, attribute.String("turnwire.method", m.method)))
	w.asking[string(m.id)] = q
	w.t.metrics.waiting.Add(w.ctx, 1, w.sum)
	if t := q.turn; t != nil {
		if t.asking++; t.asking == 1 {
			t.since = q.begun
		}
	}
	if c := q.call; c != nil {
		if c.asking++; c.asking == 1 {
			c.since = q.begun
		}
	}
	if !w.t.traces {
		return line
	}
	return withContext(ctx, line, m.params)
}

// answered looks at an answer of the client.
func (w *Watcher) answered(m message) {
	q := w.asking[string(m.id)]
	if q == nil {
		return
	}
	outcome := outcomeError
	if m.failure == nil {
		outcome = rawmsg.Text(member(m.result, "outcome", "outcome"))
		switch outcome {
		case "selected":
			outcome = q.options[text(m.result, "outcome", "optionId")]
		case "":
			outcome = text(m.result, "action")
		}
	}
	w.settle(string(m.id), q, known(outcome, outcomes))
}

// settle ends a question.
func (w *Watcher) settle(id string, q *question, outcome string) {
	delete(w.asking, id)
	now := time.Now()
	if t := q.turn; t != nil {
		if t.asking--; t.asking == 0 {
			t.waited += now.Sub(t.since)
		}
	}
	if c := q.call; c != nil {
		if c.asking--; c.asking == 0 {
			c.waited += now.Sub(c.since)
		}
	}
	q.span.SetAttributes(attribute.String("turnwire.confirmation.outcome", outcome))
	q.span.End(trace.WithTimestamp(now))
	w.t.metrics.waiting.Add(w.ctx, -1, w.sum)
	w.measure(w.t.metrics.confirmation, now.Sub(q.begun), attribute.String("turnwire.confirmation.outcome", outcome))
}
