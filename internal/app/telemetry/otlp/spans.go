package otlp

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Spans sends spans. It implements [sdktrace.SpanExporter].
type Spans struct{ to *sender }

// ExportSpans implements [sdktrace.SpanExporter].
func (s *Spans) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	return s.to.send(ctx, encodeSpans(spans))
}

// Shutdown implements [sdktrace.SpanExporter].
func (s *Spans) Shutdown(context.Context) error { s.to.close(); return nil }

// encodeSpans encodes an ExportTraceServiceRequest. All spans must have the same
// resource.
func encodeSpans(spans []sdktrace.ReadOnlySpan) []byte {
	scopes := make(map[instrumentation.Scope][]sdktrace.ReadOnlySpan)
	for _, s := range spans {
		scopes[s.InstrumentationScope()] = append(scopes[s.InstrumentationScope()], s)
	}
	return appendMessage(nil, 1, func(dst []byte) []byte {
		dst = appendResource(dst, spans[0].Resource())
		for scope, of := range scopes {
			dst = appendMessage(dst, 2, func(dst []byte) []byte {
				dst = appendScope(dst, scope)
				for _, s := range of {
					dst = appendMessage(dst, 2, func(dst []byte) []byte { return appendSpan(dst, s) })
				}
				return dst
			})
		}
		return appendString(dst, 3, spans[0].Resource().SchemaURL())
	})
}

// appendSpan appends the fields of a Span.
func appendSpan(dst []byte, s sdktrace.ReadOnlySpan) []byte {
	dst = appendContext(dst, s.SpanContext())
	if parent := s.Parent().SpanID(); parent.IsValid() {
		dst = appendBytes(dst, 4, parent[:])
	}
	dst = appendString(dst, 5, s.Name())
	dst = appendVarint(dst, 6, uint64(s.SpanKind())) //nolint:gosec // the numbers are the same, and small
	dst = appendTime(dst, 7, s.StartTime())
	dst = appendTime(dst, 8, s.EndTime())
	dst = appendAttributes(dst, 9, s.Attributes())
	dst = appendVarint(dst, 10, count(s.DroppedAttributes()))
	for _, e := range s.Events() {
		dst = appendMessage(dst, 11, func(dst []byte) []byte {
			dst = appendTime(dst, 1, e.Time)
			dst = appendString(dst, 2, e.Name)
			return appendAttributes(dst, 3, e.Attributes)
		})
	}
	dst = appendVarint(dst, 12, count(s.DroppedEvents()))
	for _, l := range s.Links() {
		dst = appendMessage(dst, 13, func(dst []byte) []byte { return appendLink(dst, l.SpanContext, l.Attributes) })
	}
	dst = appendVarint(dst, 14, count(s.DroppedLinks()))
	dst = appendMessage(dst, 15, func(dst []byte) []byte {
		return appendVarint(appendString(dst, 2, s.Status().Description), 3, statusOf(s.Status().Code))
	})
	return appendFlags(dst, 16, s.SpanContext(), s.Parent())
}

// appendContext appends the first three fields of a Span or a Link.
func appendContext(dst []byte, c trace.SpanContext) []byte {
	traceID, spanID := c.TraceID(), c.SpanID()
	dst = appendBytes(dst, 1, traceID[:])
	dst = appendBytes(dst, 2, spanID[:])
	return appendString(dst, 3, c.TraceState().String())
}

func appendLink(dst []byte, c trace.SpanContext, attributes []attribute.KeyValue) []byte {
	dst = appendContext(dst, c)
	dst = appendAttributes(dst, 4, attributes)
	return appendFlags(dst, 6, c, c)
}

// The bits of flags that say whether a span is from another process.
const (
	knowsRemote = 0x100
	isRemote    = 0x200
)

// appendFlags appends the trace flags of c, and whether other is from another process.
func appendFlags(dst []byte, n field, c, other trace.SpanContext) []byte {
	flags := uint32(c.TraceFlags()) | knowsRemote
	if other.IsRemote() {
		flags |= isRemote
	}
	return appendFixed32(dst, n, flags)
}

// statusOf returns the wire value of a status code.
func statusOf(c codes.Code) uint64 {
	switch c {
	case codes.Ok:
		return 1
	case codes.Error:
		return 2
	default:
		return 0
	}
}

func count(n int) uint64 { return uint64(max(n, 0)) } //nolint:gosec // it is not negative
