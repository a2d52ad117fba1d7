package telemetry

import (
	"context"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// totals are the counters that change with each line. An instrument would cost as much as
// the rest of the work for a line, so instruments read the totals only during collection.
type totals struct {
	updates, toClient, toAgent atomic.Int64
}

// allTotals are the totals of all agents.
type allTotals struct {
	mu sync.Mutex
	by map[string]*totals
}

// of returns an agent's totals.
func (a *allTotals) of(agent string) *totals {
	a.mu.Lock()
	defer a.mu.Unlock()
	one := a.by[agent]
	if one == nil {
		one = new(totals)
		if a.by == nil {
			a.by = make(map[string]*totals)
		}
		a.by[agent] = one
	}
	return one
}

// register registers the totals with a meter.
func (a *allTotals) register(m metric.Meter) error {
	updates, err := m.Int64ObservableCounter("turnwire.updates", metric.WithUnit("{update}"), metric.WithDescription("Updates of sessions that agents sent."))
	if err != nil {
		return err
	}
	bytes, err := m.Int64ObservableCounter("turnwire.io", metric.WithUnit("By"), metric.WithDescription("What passed between clients and agents."))
	if err != nil {
		return err
	}
	_, err = m.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		a.mu.Lock()
		defer a.mu.Unlock()
		for agent, t := range a.by {
			which := attribute.String("gen_ai.agent.name", agent)
			o.ObserveInt64(updates, t.updates.Load(), metric.WithAttributes(which))
			o.ObserveInt64(bytes, t.toClient.Load(), metric.WithAttributes(which, attribute.String("turnwire.io.direction", "to_client")))
			o.ObserveInt64(bytes, t.toAgent.Load(), metric.WithAttributes(which, attribute.String("turnwire.io.direction", "to_agent")))
		}
		return nil
	}, updates, bytes)
	return err
}
