// Package otlp sends spans and metrics of the OpenTelemetry SDK to a collector, by
// OTLP over HTTP with protobuf.
//
// The exporters of OpenTelemetry itself link gRPC and the generated types, which
// every editor would pay for at each start of Turnwire: 7 MB of program, 5 MB of
// memory, a quarter more time. This package writes the few messages that are needed
// field by field. Its tests read them with the generated types.
//
// Source: opentelemetry-proto 1.11, and the OTLP specification.
package otlp
