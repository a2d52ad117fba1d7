package otlp

import (
	"encoding/binary"
	"math"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"
)

// appendMessage appends a field with a message. fill appends the message's fields.
func appendMessage(dst []byte, n field, fill func([]byte) []byte) []byte {
	return appendBytes(dst, n, fill(nil))
}

func appendString(dst []byte, n field, s string) []byte {
	if s == "" {
		return dst
	}
	return appendBytes(dst, n, strings.ToValidUTF8(s, "\ufffd"))
}

func appendVarint(dst []byte, n field, v uint64) []byte {
	if v == 0 {
		return dst
	}
	return appendNumber(dst, n, v)
}

func appendDouble(dst []byte, n field, v float64) []byte {
	return appendFixed(dst, n, math.Float64bits(v))
}

func appendTime(dst []byte, n field, t time.Time) []byte {
	if t.IsZero() {
		return dst
	}
	return appendFixed(dst, n, uint64(t.UnixNano())) //nolint:gosec // no time before 1970 is measured
}

// appendPacked appends a repeated field of 64-bit values.
func appendPacked(dst []byte, n field, count int, at func(i int) uint64) []byte {
	if count == 0 {
		return dst
	}
	body := make([]byte, 0, count*8)
	for i := range count {
		body = binary.LittleEndian.AppendUint64(body, at(i))
	}
	return appendBytes(dst, n, body)
}

// appendAttributes appends a KeyValue field for each attribute.
func appendAttributes(dst []byte, n field, list []attribute.KeyValue) []byte {
	for _, kv := range list {
		dst = appendMessage(dst, n, func(dst []byte) []byte {
			dst = appendString(dst, 1, string(kv.Key))
			return appendMessage(dst, 2, func(dst []byte) []byte { return appendValue(dst, kv.Value) })
		})
	}
	return dst
}

// appendValue appends the fields of an AnyValue. They are a oneof, so empty values are
// written too.
func appendValue(dst []byte, v attribute.Value) []byte {
	switch v.Type() {
	case attribute.BOOL:
		return appendNumber(dst, 2, oneOrZero(v.AsBool()))
	case attribute.INT64:
		return appendNumber(dst, 3, uint64(v.AsInt64())) //nolint:gosec // as protobuf has it
	case attribute.FLOAT64:
		return appendDouble(dst, 4, v.AsFloat64())
	case attribute.STRINGSLICE:
		return appendMessage(dst, 5, func(dst []byte) []byte {
			for _, s := range v.AsStringSlice() {
				dst = appendMessage(dst, 1, func(dst []byte) []byte { return appendBytes(dst, 1, strings.ToValidUTF8(s, "\ufffd")) })
			}
			return dst
		})
	default: // a string, or formatted as one
		return appendBytes(dst, 1, strings.ToValidUTF8(v.String(), "\ufffd"))
	}
}

// appendResource appends the request's resource.
func appendResource(dst []byte, r *resource.Resource) []byte {
	return appendMessage(dst, 1, func(dst []byte) []byte { return appendAttributes(dst, 1, r.Attributes()) })
}

// appendScope appends the instrumentation scope.
func appendScope(dst []byte, s instrumentation.Scope) []byte {
	return appendMessage(dst, 1, func(dst []byte) []byte {
		return appendString(appendString(dst, 1, s.Name), 2, s.Version)
	})
}
