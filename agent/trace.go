package agent

import "context"

// A TraceContext identifies the trace that some work belongs to. The fields hold
// the W3C Trace Context headers of the same names; both are "" if there is no
// trace.
type TraceContext struct {
	TraceParent string `json:"traceparent,omitempty" jsonschema:"description=The trace that the turn belongs to, as W3C's trace context has it. Only where the editor names one, or Turnwire sends traces."`
	TraceState  string `json:"tracestate,omitempty" jsonschema:"description=What other tracing systems say of it, with traceparent."`
}

type traceKey struct{}

// WithTrace returns a context for work that belongs to a trace. Drivers that reach
// their agents over HTTP send it as headers.
func WithTrace(ctx context.Context, t TraceContext) context.Context {
	if t == (TraceContext{}) {
		return ctx
	}
	return context.WithValue(ctx, traceKey{}, t)
}

// TraceOf returns the trace that ctx belongs to.
func TraceOf(ctx context.Context) TraceContext {
	t, _ := ctx.Value(traceKey{}).(TraceContext)
	return t
}
