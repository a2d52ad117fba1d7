package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	apimetric "go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A collector stores the requests that it receives.
type collector struct {
	*httptest.Server

	mu       sync.Mutex
	requests []*http.Request
	bodies   [][]byte
	answer   func(n int, w http.ResponseWriter) // n is the number of the request, from 1
}

func startCollector(t *testing.T) *collector {
	t.Helper()
	c := new(collector)
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var from io.Reader = r.Body
		if r.Header.Get("Content-Encoding") == "gzip" {
			packed, err := gzip.NewReader(r.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			from = packed
		}
		body, err := io.ReadAll(from)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.requests, c.bodies = append(c.requests, r), append(c.bodies, body)
		if c.answer != nil {
			c.answer(len(c.bodies), w)
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// env returns a getenv for the given variables.
func env(variables ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(variables); i += 2 {
			if variables[i] == name {
				return variables[i+1]
			}
		}
		return ""
	}
}

var about = resource.NewSchemaless(attribute.String("service.name", "test"), attribute.Bool("b", true), attribute.Int("i", -7))

// plain returns attributes as a map.
func plain(list []*common.KeyValue) map[string]any {
	out := make(map[string]any)
	for _, kv := range list {
		switch v := kv.GetValue().GetValue().(type) {
		case *common.AnyValue_StringValue:
			out[kv.GetKey()] = v.StringValue
		case *common.AnyValue_BoolValue:
			out[kv.GetKey()] = v.BoolValue
		case *common.AnyValue_IntValue:
			out[kv.GetKey()] = v.IntValue
		case *common.AnyValue_DoubleValue:
			out[kv.GetKey()] = v.DoubleValue
		case *common.AnyValue_ArrayValue:
			var all []string
			for _, e := range v.ArrayValue.GetValues() {
				all = append(all, e.GetStringValue())
			}
			out[kv.GetKey()] = all
		}
	}
	return out
}

func TestSpansSurviveARoundTrip(t *testing.T) {
	c := startCollector(t)
	spans, err := NewSpans(env("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL+"/base", "OTEL_EXPORTER_OTLP_HEADERS", "x-key=a%20b, y=2",
		"OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"))
	require.NoError(t, err)
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans), sdktrace.WithResource(about))
	tracer := provider.Tracer("scope", trace.WithInstrumentationVersion("1.2"))
	state, err := trace.ParseTraceState("vendor=x")
	require.NoError(t, err)
	remote := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1, 2, 3}, SpanID: trace.SpanID{4, 5}, TraceFlags: trace.FlagsSampled, TraceState: state, Remote: true,
	})
	begin := time.Unix(1_700_000_000, 5)
	ctx, outer := tracer.Start(trace.ContextWithRemoteSpanContext(context.Background(), remote), "outer", trace.WithTimestamp(begin),
		trace.WithLinks(trace.Link{SpanContext: remote, Attributes: []attribute.KeyValue{attribute.Float64("f", 0.5)}}))
	_, inner := tracer.Start(ctx, "inner", trace.WithSpanKind(trace.SpanKindClient))
	inner.SetAttributes(attribute.StringSlice("list", []string{"a", ""}), attribute.String("empty", ""), attribute.String("bad", "\xff"))
	inner.AddEvent("first", trace.WithAttributes(attribute.Int64("n", 1<<40)))
	inner.SetStatus(codes.Error, "why")
	inner.End()
	outer.SetStatus(codes.Ok, "")
	outer.End(trace.WithTimestamp(begin.Add(time.Second)))
	require.NoError(t, provider.Shutdown(t.Context()))

	require.Len(t, c.bodies, 1)
	require.Equal(t, "/base/v1/traces", c.requests[0].URL.Path)
	require.Equal(t, "application/x-protobuf", c.requests[0].Header.Get("Content-Type"))
	require.Equal(t, "a b", c.requests[0].Header.Get("X-Key"))
	require.Equal(t, "2", c.requests[0].Header.Get("Y"))
	var got tracepb.TracesData // it has the same fields as ExportTraceServiceRequest
	require.NoError(t, proto.Unmarshal(c.bodies[0], &got))
	require.Empty(t, got.ProtoReflect().GetUnknown())
	of := got.GetResourceSpans()[0]
	require.Equal(t, map[string]any{"service.name": "test", "b": true, "i": int64(-7)}, plain(of.GetResource().GetAttributes()))
	require.Equal(t, "scope", of.GetScopeSpans()[0].GetScope().GetName())
	require.Equal(t, "1.2", of.GetScopeSpans()[0].GetScope().GetVersion())
	all := of.GetScopeSpans()[0].GetSpans()
	require.Len(t, all, 2)
	in, out := all[0], all[1]
	require.Equal(t, "inner", in.GetName())
	require.Equal(t, tracepb.Span_SPAN_KIND_CLIENT, in.GetKind())
	require.Equal(t, out.GetSpanId(), in.GetParentSpanId())
	require.Equal(t, map[string]any{"list": []string{"a", ""}, "empty": "", "bad": "\ufffd"}, plain(in.GetAttributes()))
	require.Equal(t, "first", in.GetEvents()[0].GetName())
	require.Equal(t, map[string]any{"n": int64(1 << 40)}, plain(in.GetEvents()[0].GetAttributes()))
	require.Equal(t, tracepb.Status_STATUS_CODE_ERROR, in.GetStatus().GetCode())
	require.Equal(t, "why", in.GetStatus().GetMessage())
	require.Equal(t, uint32(0x101), in.GetFlags())
	require.Equal(t, remote.TraceID().String(), trace.TraceID(out.GetTraceId()).String())
	require.Equal(t, remote.SpanID().String(), trace.SpanID(out.GetParentSpanId()).String())
	require.Equal(t, "vendor=x", out.GetTraceState())
	require.Equal(t, uint32(0x301), out.GetFlags())
	require.Equal(t, tracepb.Status_STATUS_CODE_OK, out.GetStatus().GetCode())
	require.Equal(t, uint64(begin.UnixNano()), out.GetStartTimeUnixNano())
	require.Equal(t, uint64(time.Second), out.GetEndTimeUnixNano()-out.GetStartTimeUnixNano())
	require.Equal(t, map[string]any{"f": 0.5}, plain(out.GetLinks()[0].GetAttributes()))
}

func TestMetricsSurviveARoundTrip(t *testing.T) {
	c := startCollector(t)
	metrics, err := NewMetrics(env("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", c.URL+"/as/it/is"))
	require.NoError(t, err)
	provider := metric.NewMeterProvider(metric.WithReader(metric.NewPeriodicReader(metrics)), metric.WithResource(about))
	m := provider.Meter("scope")
	which := apimetric.WithAttributes(attribute.String("agent", "a"))
	counter, err := m.Int64Counter("count", apimetric.WithUnit("By"), apimetric.WithDescription("d"))
	require.NoError(t, err)
	counter.Add(t.Context(), 3, which)
	level, err := m.Int64UpDownCounter("level")
	require.NoError(t, err)
	level.Add(t.Context(), -2, which)
	gauge, err := m.Float64Gauge("gauge")
	require.NoError(t, err)
	gauge.Record(t.Context(), 1.5)
	h, err := m.Float64Histogram("h", apimetric.WithExplicitBucketBoundaries(1, 10))
	require.NoError(t, err)
	h.Record(t.Context(), 0.5)
	h.Record(t.Context(), 20)
	require.NoError(t, provider.Shutdown(t.Context()))

	require.Equal(t, "/as/it/is", c.requests[0].URL.Path)
	var got metricspb.MetricsData // it has the same fields as ExportMetricsServiceRequest
	require.NoError(t, proto.Unmarshal(c.bodies[0], &got))
	byName := make(map[string]*metricspb.Metric)
	for _, m := range got.GetResourceMetrics()[0].GetScopeMetrics()[0].GetMetrics() {
		byName[m.GetName()] = m
	}
	sum := byName["count"].GetSum()
	require.True(t, sum.GetIsMonotonic())
	require.Equal(t, metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE, sum.GetAggregationTemporality())
	require.Equal(t, int64(3), sum.GetDataPoints()[0].GetAsInt())
	require.NotZero(t, sum.GetDataPoints()[0].GetStartTimeUnixNano())
	require.GreaterOrEqual(t, sum.GetDataPoints()[0].GetTimeUnixNano(), sum.GetDataPoints()[0].GetStartTimeUnixNano())
	require.Equal(t, map[string]any{"agent": "a"}, plain(sum.GetDataPoints()[0].GetAttributes()))
	require.Equal(t, "By", byName["count"].GetUnit())
	require.Equal(t, "d", byName["count"].GetDescription())
	require.False(t, byName["level"].GetSum().GetIsMonotonic())
	require.Equal(t, int64(-2), byName["level"].GetSum().GetDataPoints()[0].GetAsInt())
	require.InDelta(t, 1.5, byName["gauge"].GetGauge().GetDataPoints()[0].GetAsDouble(), 0)
	p := byName["h"].GetHistogram().GetDataPoints()[0]
	require.Equal(t, []float64{1, 10}, p.GetExplicitBounds())
	require.Equal(t, []uint64{1, 0, 1}, p.GetBucketCounts())
	require.Equal(t, uint64(2), p.GetCount())
	require.InDelta(t, 20.5, p.GetSum(), 0)
	require.InDelta(t, 0.5, p.GetMin(), 0)
	require.InDelta(t, 20, p.GetMax(), 0)
}

func TestACollectorThatIsBusyIsAskedAgain(t *testing.T) {
	c := startCollector(t)
	c.answer = func(n int, w http.ResponseWriter) {
		if n == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}
	s, err := newSender(env("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL), "TRACES", "/v1/traces")
	require.NoError(t, err)
	require.NoError(t, s.send(t.Context(), []byte("x")))
	require.Equal(t, [][]byte{[]byte("x"), []byte("x")}, c.bodies)
}

func TestDataRejectedByTheCollectorIsAnError(t *testing.T) {
	c := startCollector(t)
	s, err := newSender(env("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL), "TRACES", "/v1/traces")
	require.NoError(t, err)
	c.answer = func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusBadRequest) }
	require.ErrorContains(t, s.send(t.Context(), nil), "400")
	c.answer = func(_ int, w http.ResponseWriter) {
		_, _ = w.Write(refusal)
	}
	require.ErrorContains(t, s.send(t.Context(), nil), `rejected 2 items: "too old"`)
	c.answer = func(_ int, w http.ResponseWriter) { _, _ = w.Write(bytes.Repeat([]byte{0xff}, 100)) }
	require.NoError(t, s.send(t.Context(), nil), "nonsense in the answer to what was taken")
	c.Close()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.Error(t, s.send(ctx, nil))
}

func TestInvalidVariablesAreReported(t *testing.T) {
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_PROTOCOL":           "grpc",
		"OTEL_EXPORTER_OTLP_ENDPOINT":           "localhost:4318",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT":    "ftp://x/",
		"OTEL_EXPORTER_OTLP_TIMEOUT":            "10s",
		"OTEL_EXPORTER_OTLP_COMPRESSION":        "zstd",
		"OTEL_EXPORTER_OTLP_HEADERS":            "secret",
		"OTEL_EXPORTER_OTLP_CERTIFICATE":        "/nobody/ca.pem",
		"OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE": "/nobody/cert.pem",
	} {
		_, err := NewSpans(env(name, value))
		require.ErrorContains(t, err, name)
		require.NotContains(t, err.Error(), "secret", "it may be one")
	}
}

// refusal is an ExportTraceServiceResponse with partial_success, which has rejected_spans
// and error_message.
var refusal = []byte("\x0a\x0b\x08\x02\x12\x07too old")

func FuzzARejectionIsFoundBeforeAnyRest(f *testing.F) {
	f.Add([]byte{0x12, 0x02, 0x08, 0x05})
	f.Add([]byte{0xff})
	f.Fuzz(func(t *testing.T, rest []byte) {
		require.Error(t, rejected(append(bytes.Clone(refusal), rest...)))
		_ = rejected(rest) // must not panic
	})
}
