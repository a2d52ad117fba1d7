package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// Connected records that a client connected. The caller must call gone when the client
// disconnects. token is the name of the client's token, or "".
func (t *Telemetry) Connected(agent, transport, token string) (disconnected func()) {
	if t == nil {
		return func() {}
	}
	attributes := []attribute.KeyValue{attribute.String("gen_ai.agent.name", agent), attribute.String("turnwire.transport", transport)}
	ctx, span := t.tracer.Start(context.Background(), "client", trace.WithAttributes(append(attributes, attribute.String("turnwire.token", token))...))
	which := metric.WithAttributeSet(attribute.NewSet(attributes...))
	t.metrics.connections.Add(ctx, 1, which)
	return func() {
		span.End()
		t.metrics.connections.Add(ctx, -1, which)
	}
}
