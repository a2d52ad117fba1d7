package agent

import "context"

// A TraceContext identifies the trace that some work belongs to. The fields hold
// the W3C Trace Context headers of the same names; both are "" if there is no
// trace.
type TraceContext struct {
	TraceParent string `json:"traceparent,omitempty" jsonschema:"description=The turn's W3C trace context. Present only if the editor sends one or Turnwire exports traces."`
	TraceState  string `json:"tracestate,omitempty" jsonschema:"description=Vendor-specific trace data that belongs to traceparent."`
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
