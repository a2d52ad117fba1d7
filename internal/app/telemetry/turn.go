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

// What a turn has ended with beside the protocol's reasons.
const (
	reasonError = "error"
	reasonGone  = "connection_closed"
)

// reasons are those of StopReason.
var reasons = []string{"end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", reasonError, reasonGone}

// A turn is from a prompt to its answer.
type turn struct {
	ctx    context.Context // has its span
	span   trace.Span
	begun  time.Time
	spoken bool // a text was shown
	calls  map[string]*call

	asking int // questions that the user is to answer
	since  time.Time
	waited time.Duration // how long there was one
}

// beginTurn begins a turn. Its trace is the one that the client names.
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

// replyTurn ends a turn by its answer.
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

// count counts the tokens of a turn, where its answer has them.
func (w *Watcher) count(t *turn, usage []byte) {
	for _, kind := range []string{"input", "output"} { // in the same order always
		n, err := strconv.ParseInt(string(member(usage, kind+"Tokens")), 10, 64)
		if err != nil || n < 0 {
			continue
		}
		t.span.SetAttributes(attribute.Int64("gen_ai.usage."+kind+"_tokens", n))
		w.t.metrics.tokens.Record(w.ctx, float64(n), metric.WithAttributes(w.agent,
			attribute.String("gen_ai.operation.name", "invoke_agent"), attribute.String("gen_ai.token.type", kind)))
	}
}

// endTurn ends a turn and the calls that it leaves open.
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

// cancelled notes that the user stops the turns of a session.
func (w *Watcher) cancelled(params []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.sessions[text(params, "sessionId")]; s != nil {
		for _, t := range s.turns {
			t.span.AddEvent("cancel")
		}
	}
}

// current is the turn that what the agent says belongs to, or nil.
func (w *Watcher) current(session string) *turn {
	if s := w.sessions[session]; s != nil && len(s.turns) > 0 {
		return s.turns[0]
	}
	return nil
}

// spoke notes that an agent has said something in a session.
func (w *Watcher) spoke(session string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.current(session)
	if t == nil || t.spoken { // it may be shown again, or between turns
		return
	}
	t.spoken = true
	t.span.AddEvent("first_text")
	w.measure(w.t.metrics.firstText, time.Since(t.begun)-t.waited)
}
