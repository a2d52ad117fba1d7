// Package otlp sends spans and metrics of the OpenTelemetry SDK to a collector, with OTLP
// over HTTP and protobuf.
//
// OpenTelemetry's own exporters link gRPC and the generated types. Every editor would pay
// for that whenever it starts Turnwire: 7 MB of binary, 5 MB of memory, and a quarter
// more time. This package writes the few messages it needs field by field. Its tests
// decode them with the generated types.
//
// Source: opentelemetry-proto 1.11, and the OTLP specification.
package otlp
