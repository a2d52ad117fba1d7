package otlp

import (
	"context"
	"math"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// Metrics sends metrics as cumulative sums. It implements [metric.Exporter].
type Metrics struct{ to *sender }

// Temporality implements [metric.Exporter].
func (*Metrics) Temporality(metric.InstrumentKind) metricdata.Temporality {
	return metricdata.CumulativeTemporality
}

// Aggregation implements [metric.Exporter].
func (*Metrics) Aggregation(kind metric.InstrumentKind) metric.Aggregation {
	return metric.DefaultAggregationSelector(kind)
}

// Export implements [metric.Exporter].
func (m *Metrics) Export(ctx context.Context, all *metricdata.ResourceMetrics) error {
	if len(all.ScopeMetrics) == 0 {
		return nil
	}
	return m.to.send(ctx, encodeMetrics(all))
}

// ForceFlush implements [metric.Exporter]. Nothing is buffered.
func (*Metrics) ForceFlush(context.Context) error { return nil }

// Shutdown implements [metric.Exporter].
func (m *Metrics) Shutdown(context.Context) error { m.to.close(); return nil }

// encodeMetrics encodes an ExportMetricsServiceRequest.
func encodeMetrics(all *metricdata.ResourceMetrics) []byte {
	return appendMessage(nil, 1, func(dst []byte) []byte {
		dst = appendResource(dst, all.Resource)
		for _, scope := range all.ScopeMetrics {
			dst = appendMessage(dst, 2, func(dst []byte) []byte {
				dst = appendScope(dst, scope.Scope)
				for _, m := range scope.Metrics {
					dst = appendMessage(dst, 2, func(dst []byte) []byte { return appendMetric(dst, m) })
				}
				return dst
			})
		}
		return appendString(dst, 3, all.Resource.SchemaURL())
	})
}

// appendMetric appends the fields of a Metric. A kind that Turnwire doesn't measure gets
// no data.
func appendMetric(dst []byte, m metricdata.Metrics) []byte {
	dst = appendString(dst, 1, m.Name)
	dst = appendString(dst, 2, m.Description)
	dst = appendString(dst, 3, m.Unit)
	switch data := m.Data.(type) {
	case metricdata.Gauge[int64]:
		return appendMessage(dst, 5, func(dst []byte) []byte { return appendNumbers(dst, data.DataPoints) })
	case metricdata.Gauge[float64]:
		return appendMessage(dst, 5, func(dst []byte) []byte { return appendNumbers(dst, data.DataPoints) })
	case metricdata.Sum[int64]:
		return appendSum(dst, data)
	case metricdata.Sum[float64]:
		return appendSum(dst, data)
	case metricdata.Histogram[float64]:
		return appendMessage(dst, 9, func(dst []byte) []byte {
			for _, p := range data.DataPoints {
				dst = appendMessage(dst, 1, func(dst []byte) []byte { return appendBuckets(dst, p) })
			}
			return appendVarint(dst, 2, temporality(data.Temporality))
		})
	default:
		return dst
	}
}

func appendSum[N int64 | float64](dst []byte, data metricdata.Sum[N]) []byte {
	return appendMessage(dst, 7, func(dst []byte) []byte {
		dst = appendNumbers(dst, data.DataPoints)
		dst = appendVarint(dst, 2, temporality(data.Temporality))
		return appendVarint(dst, 3, oneOrZero(data.IsMonotonic))
	})
}

// appendNumbers appends NumberDataPoint fields.
func appendNumbers[N int64 | float64](dst []byte, points []metricdata.DataPoint[N]) []byte {
	for _, p := range points {
		dst = appendMessage(dst, 1, func(dst []byte) []byte {
			dst = appendTime(dst, 2, p.StartTime)
			dst = appendTime(dst, 3, p.Time)
			switch v := any(p.Value).(type) {
			case float64:
				dst = appendDouble(dst, 4, v)
			case int64:
				dst = appendFixed(dst, 6, uint64(v)) //nolint:gosec // as protobuf has it
			}
			return appendAttributes(dst, 7, p.Attributes.ToSlice())
		})
	}
	return dst
}

// appendBuckets appends the fields of a HistogramDataPoint.
func appendBuckets(dst []byte, p metricdata.HistogramDataPoint[float64]) []byte {
	dst = appendTime(dst, 2, p.StartTime)
	dst = appendTime(dst, 3, p.Time)
	dst = appendFixed(dst, 4, p.Count)
	dst = appendDouble(dst, 5, p.Sum)
	dst = appendPacked(dst, 6, len(p.BucketCounts), func(i int) uint64 { return p.BucketCounts[i] })
	dst = appendPacked(dst, 7, len(p.Bounds), func(i int) uint64 { return math.Float64bits(p.Bounds[i]) })
	dst = appendAttributes(dst, 9, p.Attributes.ToSlice())
	if v, ok := p.Min.Value(); ok {
		dst = appendDouble(dst, 11, v)
	}
	if v, ok := p.Max.Value(); ok {
		dst = appendDouble(dst, 12, v)
	}
	return dst
}

// temporality returns the wire value of a temporality.
func temporality(t metricdata.Temporality) uint64 {
	switch t {
	case metricdata.DeltaTemporality:
		return 1
	case metricdata.CumulativeTemporality:
		return 2
	default:
		return 0
	}
}
