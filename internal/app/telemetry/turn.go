package telemetry

import (
	"context"
	"slices"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// Outcomes of a turn in addition to the protocol's stop reasons.
const (
	reasonError = "error"
	reasonGone  = "connection_closed"
)

// reasons are the values of StopReason, and the additional outcomes.
var reasons = []string{"end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", reasonError, reasonGone}

// A turn lasts from a prompt to its response.
type turn struct {
	ctx    context.Context // contains its span
	span   trace.Span
	begun  time.Time
	spoken bool // the first text was shown
	calls  map[string]*call

	asking int // number of pending requests to the user
	since  time.Time
	waited time.Duration // total time with pending requests
}

// beginTurn starts recording a turn. Its trace is the client's, if the params name one.
func (w *Watcher) beginTurn(s *session, params []byte) *turn {
	t := &turn{begun: time.Now(), calls: make(map[string]*call)}
	id := text(params, "sessionId")
	t.ctx, t.span = w.t.tracer.Start(remoteContext(params), "invoke_agent "+w.agent.Value.AsString(),
		trace.WithLinks(trace.Link{SpanContext: s.span.SpanContext()}),
		trace.WithAttributes(w.agent, conversation(id), attribute.String("gen_ai.operation.name", "invoke_agent")))
	s.turns = append(s.turns, t)
	w.t.metrics.running.Add(w.ctx, 1, w.sum)
	return t
}

// replyTurn ends a turn when its response arrives.
func (w *Watcher) replyTurn(a *asked, result, failure []byte) {
	s := w.sessions[a.session]
	if s == nil || !slices.Contains(s.turns, a.turn) {
		return
	}
	if failure != nil {
		a.turn.span.SetStatus(codes.Error, codeOf(failure))
		w.endTurn(s, a.turn, reasonError)
		return
	}
	w.count(a.turn, member(result, "usage"))
	w.endTurn(s, a.turn, known(text(result, "stopReason"), reasons))
}

// count records the tokens of a turn, if the response contains them.
func (w *Watcher) count(t *turn, usage []byte) {
	for _, kind := range []string{"input", "output"} { // always in the same order
		n, err := strconv.ParseInt(string(member(usage, kind+"Tokens")), 10, 64)
		if err != nil || n < 0 {
			continue
		}
		t.span.SetAttributes(attribute.Int64("gen_ai.usage."+kind+"_tokens", n))
		w.t.metrics.tokens.Record(w.ctx, float64(n), metric.WithAttributes(w.agent,
			attribute.String("gen_ai.operation.name", "invoke_agent"), attribute.String("gen_ai.token.type", kind)))
	}
}

// endTurn ends a turn and its open calls.
func (w *Watcher) endTurn(s *session, t *turn, reason string) {
	s.turns = slices.DeleteFunc(s.turns, func(other *turn) bool { return other == t })
	for id, c := range t.calls {
		w.endCall(t, id, c, statusOpen)
	}
	now := time.Now()
	if t.asking > 0 {
		t.waited += now.Sub(t.since)
	}
	t.span.SetAttributes(attribute.StringSlice("gen_ai.response.finish_reasons", []string{reason}),
		attribute.Float64("turnwire.turn.waited", t.waited.Seconds()))
	t.span.End(trace.WithTimestamp(now))
	w.t.metrics.running.Add(w.ctx, -1, w.sum)
	w.measure(w.t.metrics.turn, now.Sub(t.begun)-t.waited, attribute.String("turnwire.stop_reason", reason))
}

// cancelled records that the user cancelled the turns of a session.
func (w *Watcher) cancelled(params []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.sessions[text(params, "sessionId")]; s != nil {
		for _, t := range s.turns {
			t.span.AddEvent("cancel")
		}
	}
}

// current returns the turn that the agent's output belongs to, or nil.
func (w *Watcher) current(session string) *turn {
	if s := w.sessions[session]; s != nil && len(s.turns) > 0 {
		return s.turns[0]
	}
	return nil
}

// spoke records that an agent sent text in a session.
func (w *Watcher) spoke(session string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.current(session)
	if t == nil || t.spoken { // already recorded, or between turns
		return
	}
	t.spoken = true
	t.span.AddEvent("first_text")
	w.measure(w.t.metrics.firstText, time.Since(t.begun)-t.waited)
}
