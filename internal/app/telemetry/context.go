package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// metaMember is the protocol's member for extensions. Its members traceparent and
// tracestate are the W3C trace context.
//
// Source: Agent Client Protocol, extensibility.
const metaMember = "_meta"

// propagator reads and writes the W3C trace context.
var propagator propagation.TraceContext

// remoteContext returns a context with the trace named in a request's params.
func remoteContext(params []byte) context.Context {
	meta := member(params, metaMember)
	c := propagation.MapCarrier{}
	for _, name := range propagator.Fields() {
		c.Set(name, text(meta, name))
	}
	return propagator.Extract(context.Background(), c)
}

// withContext returns params that name the trace of ctx.
func withContext(ctx context.Context, params []byte) []byte {
	if !trace.SpanContextFromContext(ctx).IsValid() || object(params) == nil {
		return params
	}
	c := propagation.MapCarrier{}
	propagator.Inject(ctx, c)
	meta := object(member(params, metaMember))
	if meta == nil {
		meta = []byte("{}")
	}
	for _, name := range propagator.Fields() {
		if value := c.Get(name); value != "" {
			meta = rawmsg.Set(meta, name, rawmsg.Quote(value))
		} else {
			meta = rawmsg.Without(meta, name)
		}
	}
	return rawmsg.Set(params, metaMember, meta)
}
