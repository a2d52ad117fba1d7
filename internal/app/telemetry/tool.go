package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// kinds are the values of ToolKind.
var kinds = []string{"read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"}

// Outcomes of a call.
const (
	statusCompleted = "completed"
	statusFailed    = "failed"
	statusOpen      = "unfinished" // its turn ended first
)

// A call is a running tool call.
type call struct {
	ctx   context.Context // contains its span
	span  trace.Span
	kind  string
	begun time.Time

	asking int
	since  time.Time
	waited time.Duration
}

// tool records a new tool call of a session, or an update of one.
func (w *Watcher) tool(session string, u tool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.current(session)
	if t == nil {
		return // a replayed call, or one between turns
	}
	c := t.calls[u.id]
	if c == nil {
		if u.id == "" || len(t.calls) >= maxCalls || !u.isNew {
			return
		}
		c = w.beginCall(t, u.id, known(u.kind, kinds))
	}
	switch u.status {
	case statusCompleted, statusFailed:
		w.endCall(t, u.id, c, u.status)
	}
}

func (w *Watcher) beginCall(t *turn, id, kind string) *call {
	c := &call{kind: kind, begun: time.Now()}
	c.ctx, c.span = w.t.tracer.Start(t.ctx, "execute_tool "+kind, trace.WithAttributes(
		w.agent, attribute.String("gen_ai.operation.name", "execute_tool"),
		attribute.String("gen_ai.tool.call.id", short(id)), attribute.String("turnwire.tool.kind", kind)))
	t.calls[id] = c
	return c
}

// endCall ends a call of a turn.
func (w *Watcher) endCall(t *turn, id string, c *call, status string) {
	delete(t.calls, id)
	now := time.Now()
	if c.asking > 0 {
		c.waited += now.Sub(c.since)
	}
	if status == statusFailed {
		c.span.SetStatus(codes.Error, "the agent reported a failure")
	}
	c.span.SetAttributes(attribute.String("turnwire.tool.status", status), attribute.Float64("turnwire.tool.waited", c.waited.Seconds()))
	c.span.End(trace.WithTimestamp(now))
	w.measure(w.t.metrics.tool, now.Sub(c.begun)-c.waited,
		attribute.String("turnwire.tool.kind", c.kind), attribute.String("turnwire.tool.status", status))
}
