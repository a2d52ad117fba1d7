// Package exposition formats metrics of the OpenTelemetry SDK for Prometheus. It does no
// I/O.
//
// Source: Prometheus, text-based exposition format 0.0.4; OpenTelemetry, compatibility
// with Prometheus. OpenTelemetry's own exporter would link the generated protobuf types;
// see package otlp.
package exposition

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// ContentType is the media type of [Append]'s output.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Append appends all metrics.
func Append(dst []byte, all *metricdata.ResourceMetrics) []byte {
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			dst = appendMetric(dst, m)
		}
	}
	dst = append(dst, "# HELP target_info What is measured.\n# TYPE target_info gauge\n"...)
	return appendSample(dst, "target_info", all.Resource.Attributes(), "", "1")
}

// units are the suffixes for units in names.
var units = map[string]string{"s": "_seconds", "By": "_bytes", "ms": "_milliseconds"}

// appendMetric appends one metric. It skips kinds that Turnwire doesn't measure.
func appendMetric(dst []byte, m metricdata.Metrics) []byte {
	name := plain(m.Name) + units[m.Unit]
	head := func(kind string) {
		help := strings.NewReplacer("\\", `\\`, "\n", `\n`).Replace(m.Description)
		dst = fmt.Appendf(dst, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	switch data := m.Data.(type) {
	case metricdata.Gauge[int64]:
		head("gauge")
		return appendNumbers(dst, name, data.DataPoints)
	case metricdata.Gauge[float64]:
		head("gauge")
		return appendNumbers(dst, name, data.DataPoints)
	case metricdata.Sum[int64]:
		if data.IsMonotonic {
			name += "_total"
			head("counter")
		} else {
			head("gauge")
		}
		return appendNumbers(dst, name, data.DataPoints)
	case metricdata.Histogram[float64]:
		head("histogram")
		for _, p := range data.DataPoints {
			dst = appendHistogram(dst, name, p)
		}
	}
	return dst
}

func appendNumbers[N int64 | float64](dst []byte, name string, points []metricdata.DataPoint[N]) []byte {
	for _, p := range points {
		dst = appendSample(dst, name, p.Attributes.ToSlice(), "", number(float64(p.Value)))
	}
	return dst
}

func appendHistogram(dst []byte, name string, p metricdata.HistogramDataPoint[float64]) []byte {
	attributes, below := p.Attributes.ToSlice(), uint64(0)
	for i, n := range p.BucketCounts {
		below += n
		bound := "+Inf"
		if i < len(p.Bounds) {
			bound = number(p.Bounds[i])
		}
		dst = appendSample(dst, name+"_bucket", attributes, bound, strconv.FormatUint(below, 10))
	}
	dst = appendSample(dst, name+"_sum", attributes, "", number(p.Sum))
	return appendSample(dst, name+"_count", attributes, "", strconv.FormatUint(p.Count, 10))
}

// appendSample appends a line. bound is the upper bound of a bucket, or "".
func appendSample(dst []byte, name string, attributes []attribute.KeyValue, bound, value string) []byte {
	dst = append(dst, name...)
	labels := make([]string, 0, len(attributes)+1)
	for _, kv := range attributes {
		labels = append(labels, label(plain(string(kv.Key)), kv.Value.String()))
	}
	slices.Sort(labels)
	if bound != "" {
		labels = append(labels, label("le", bound))
	}
	if len(labels) > 0 {
		dst = append(dst, '{')
		dst = append(dst, strings.Join(labels, ",")...)
		dst = append(dst, '}')
	}
	dst = append(dst, ' ')
	return append(append(dst, value...), '\n')
}

// escapes escapes the special characters in a label's value.
var escapes = strings.NewReplacer("\\", `\\`, "\"", `\"`, "\n", `\n`)

func label(name, value string) string {
	return name + `="` + escapes.Replace(strings.ToValidUTF8(value, "\ufffd")) + `"`
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// plain replaces everything in a name except letters, digits and underscores.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
			return r
		default:
			return '_'
		}
	}, name)
}
