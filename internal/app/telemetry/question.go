package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// Outcomes of a question other than the user's choice.
const (
	outcomeCancelled = "cancelled"
	outcomeError     = "error"
	outcomeGone      = "connection_closed"
)

// outcomes are the kinds of options, the actions of forms, and the other outcomes.
var outcomes = []string{"allow_once", "allow_always", "reject_once", "reject_always", "accept", "decline", "cancel", outcomeCancelled, outcomeError, outcomeGone}

// A question is a pending request to the user.
type question struct {
	of      *core.Request
	span    trace.Span
	begun   time.Time
	turn    *turn // may be nil
	call    *call // may be nil
	options map[string]string
}

// ask records a request from the agent.
func (w *Watcher) request(a *core.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || len(w.asking) >= maxAsked || object(a.Params) == nil {
		return
	}
	q := &question{of: a, begun: time.Now(), turn: w.current(a.Session), options: make(map[string]string)}
	id := text(a.Params, "toolCall", "toolCallId")
	if id == "" {
		id = text(a.Params, "toolCallId")
	}
	parent := w.ctx
	if q.turn != nil {
		parent = q.turn.ctx
		if q.call = q.turn.calls[id]; q.call != nil {
			parent = q.call.ctx
		}
	}
	for _, o := range elements(member(a.Params, "options")) {
		q.options[text(o, "optionId")] = text(o, "kind")
	}
	var ctx context.Context
	ctx, q.span = w.t.tracer.Start(parent, "confirm", trace.WithTimestamp(q.begun), trace.WithAttributes(w.agent, attribute.String("turnwire.method", a.Method)))
	w.asking[q] = true
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
	if w.t.traces {
		a.Params = withContext(ctx, a.Params)
	}
	if answered := a.Answered; answered != nil {
		a.Answered = func(answer core.Answer) {
			w.answered(q, answer)
			answered(answer)
		}
	}
}

// answered records the client's response.
func (w *Watcher) answered(q *question, answer core.Answer) {
	outcome := outcomeError
	if answer.Failure == nil {
		outcome = rawmsg.Text(member(answer.Result, "outcome", "outcome"))
		switch outcome {
		case "selected":
			outcome = q.options[text(answer.Result, "outcome", "optionId")]
		case "":
			outcome = text(answer.Result, "action")
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.settle(q, known(outcome, outcomes))
}

// withdrawn records that the agent cancelled a request.
func (w *Watcher) withdrawn(a *core.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for q := range w.asking {
		if q.of == a {
			w.settle(q, outcomeCancelled)
		}
	}
}

// settle ends an open question.
func (w *Watcher) settle(q *question, outcome string) {
	if !w.asking[q] {
		return
	}
	delete(w.asking, q)
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
