package telemetry

import (
	"context"
	"io"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// Bounds of what is remembered. What goes beyond them passes without being measured.
const (
	maxAsked    = 1 << 12
	maxSessions = 1 << 14
	maxCalls    = 1 << 12 // of a turn
)

// A Watcher measures one connection between a client and an agent.
type Watcher struct {
	t      *Telemetry
	agent  attribute.KeyValue
	sum    metric.MeasurementOption // the agent as the attributes of sums
	totals *totals
	ctx    context.Context // has the span of the connection
	span   trace.Span

	mu       sync.Mutex
	ended    bool
	asked    map[string]*asked    // the client's requests that are not answered, by id
	asking   map[string]*question // the agent's that the user is to answer, by id
	sessions map[string]*session
}

// Watch returns what measures a connection with an agent; nil where t is.
func (t *Telemetry) Watch(agent string) *Watcher {
	if t == nil {
		return nil
	}
	w := &Watcher{
		t: t, agent: attribute.String("gen_ai.agent.name", agent),
		asked: make(map[string]*asked), asking: make(map[string]*question), sessions: make(map[string]*session),
	}
	w.sum = metric.WithAttributeSet(attribute.NewSet(w.agent))
	w.totals = t.metrics.totals.of(agent)
	w.ctx, w.span = t.tracer.Start(context.Background(), "connection", trace.WithAttributes(w.agent))
	return w
}

// Tap puts w between a client, whose lines come from in, and what serves it, which
// writes to out. A nil one returns both as they are.
func (w *Watcher) Tap(in io.Reader, out io.WriteCloser) (io.Reader, io.WriteCloser) {
	if w == nil {
		return in, out
	}
	return &reader{from: in, lines: lines{see: w.FromClient}, chunk: make([]byte, 16<<10)}, &writer{to: out, lines: lines{see: w.FromAgent}}
}

// FromClient looks at a line of the client, and returns the one to pass on.
func (w *Watcher) FromClient(line []byte) []byte {
	w.totals.toAgent.Add(int64(len(line) + 1))
	return w.look(line, w.clientSaid)
}

// FromAgent looks at a line of the agent's side, and returns the one to pass on.
func (w *Watcher) FromAgent(line []byte) []byte {
	w.totals.toClient.Add(int64(len(line) + 1))
	return w.look(line, w.agentSaid)
}

func (w *Watcher) look(line []byte, said func([]byte, message) []byte) []byte {
	m, ok := parse(line)
	if !ok {
		return line
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return line
	}
	return said(line, m)
}

func (w *Watcher) clientSaid(line []byte, m message) []byte {
	switch {
	case m.method == "":
		w.answered(m)
	case m.id != nil:
		return w.requested(line, m)
	case m.method == methodCancel:
		w.cancelled(m)
	}
	return line
}

func (w *Watcher) agentSaid(line []byte, m message) []byte {
	switch {
	case m.method == "":
		w.replied(m)
	case m.id == nil:
		if m.method == methodUpdate {
			w.updated(m)
		}
	case m.method == methodPermission || m.method == methodForm:
		return w.ask(line, m)
	}
	return line
}

// End ends what is open. Nothing is measured after it. A nil one does nothing.
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
	for id, q := range w.asking {
		w.settle(id, q, outcomeGone)
	}
	for id, s := range w.sessions {
		for len(s.turns) > 0 {
			w.endTurn(s, s.turns[0], reasonGone)
		}
		w.closeSession(id)
	}
	w.span.End()
}

// measure adds a duration, with attributes beside the agent's.
func (w *Watcher) measure(h metric.Float64Histogram, d time.Duration, attributes ...attribute.KeyValue) {
	h.Record(w.ctx, max(d, 0).Seconds(), metric.WithAttributes(append(attributes, w.agent)...))
}
