package telemetry

import (
	"context"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/turnwire/turnwire/internal/bridge/core"
)

// Limits of the state. Anything beyond them is not measured.
const (
	maxAsked    = 1 << 12
	maxSessions = 1 << 14
	maxCalls    = 1 << 12 // per turn
)

// A Watcher records what passes between a source and its view.
type Watcher struct {
	t      *Telemetry
	agent  attribute.KeyValue
	sum    metric.MeasurementOption // the agent as the attribute of sums
	totals *totals
	ctx    context.Context // contains the connection's span
	span   trace.Span

	mu       sync.Mutex
	ended    bool
	asking   map[*question]bool // pending requests to the user
	sessions map[string]*session
}

// Watch returns a watcher for a connection to an agent, or nil if t is nil.
func (t *Telemetry) Watch(agent string) *Watcher {
	if t == nil {
		return nil
	}
	w := &Watcher{
		t: t, agent: attribute.String("gen_ai.agent.name", agent),
		asking: make(map[*question]bool), sessions: make(map[string]*session),
	}
	w.sum = metric.WithAttributeSet(attribute.NewSet(w.agent))
	w.totals = t.metrics.totals.of(agent)
	w.ctx, w.span = t.tracer.Start(context.Background(), "connection", trace.WithAttributes(w.agent))
	return w
}

// Around puts w between a view and the source that open creates for it. Closing the
// source ends the watcher. A nil Watcher returns open's source unchanged.
func (w *Watcher) Around(v core.View, open func(core.View) core.Source) core.Source {
	if w == nil {
		return open(v)
	}
	return &watchedSource{open(&watchedView{v, w}), w}
}

// End ends all open spans. Nothing is recorded after it. A nil Watcher does nothing.
func (w *Watcher) End() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return
	}
	w.ended = true
	for q := range w.asking {
		w.settle(q, outcomeGone)
	}
	for id, s := range w.sessions {
		for len(s.turns) > 0 {
			w.endTurn(s, s.turns[0], reasonGone)
		}
		w.closeSession(id)
	}
	w.span.End()
}

// measure records a duration, with the agent and further attributes.
func (w *Watcher) measure(h metric.Float64Histogram, d time.Duration, attributes ...attribute.KeyValue) {
	h.Record(w.ctx, max(d, 0).Seconds(), metric.WithAttributes(append(attributes, w.agent)...))
}
