package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// metaMember is where the protocol has what is not its own. Its members
// traceparent and tracestate are W3C's trace context.
//
// Source: Agent Client Protocol, extensibility.
const metaMember = "_meta"

// propagator reads and writes W3C's trace context.
var propagator propagation.TraceContext

// remoteContext is the trace that the params of a request name.
func remoteContext(params []byte) context.Context {
	meta := member(params, metaMember)
	c := propagation.MapCarrier{}
	for _, name := range propagator.Fields() {
		c.Set(name, text(meta, name))
	}
	return propagator.Extract(context.Background(), c)
}

// withContext is params that name the trace of ctx.
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
