package exposition_test

import (
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/turnwire/turnwire/internal/app/telemetry/exposition"
)

// metrics returns one metric of each kind, with a label of that value.
func metrics(label string) *metricdata.ResourceMetrics {
	which := attribute.NewSet(attribute.String("agent.name", label))
	return &metricdata.ResourceMetrics{
		Resource: resource.NewSchemaless(attribute.String("service.name", "turnwire")),
		ScopeMetrics: []metricdata.ScopeMetrics{{Metrics: []metricdata.Metrics{
			{Name: "a.io", Unit: "By", Description: "Two\nlines \\.", Data: metricdata.Sum[int64]{IsMonotonic: true, DataPoints: []metricdata.DataPoint[int64]{{Attributes: which, Value: 7}}}},
			{Name: "b", Unit: "{thing}", Data: metricdata.Sum[int64]{DataPoints: []metricdata.DataPoint[int64]{{Value: -1}}}},
			{Name: "c", Unit: "s", Data: metricdata.Histogram[float64]{DataPoints: []metricdata.HistogramDataPoint[float64]{
				{Count: 3, Sum: 4.5, Bounds: []float64{0.5, 1}, BucketCounts: []uint64{1, 0, 2}},
			}}},
			{Name: "d", Data: metricdata.Gauge[float64]{DataPoints: []metricdata.DataPoint[float64]{{Value: 0.25}}}},
		}}},
	}
}

func TestEachKindIsWrittenAsPrometheusReadsIt(t *testing.T) {
	require.Equal(t, `# HELP a_io_bytes_total Two\nlines \\.
# TYPE a_io_bytes_total counter
a_io_bytes_total{agent_name="x"} 7
# HELP b 
# TYPE b gauge
b -1
# HELP c_seconds 
# TYPE c_seconds histogram
c_seconds_bucket{le="0.5"} 1
c_seconds_bucket{le="1"} 1
c_seconds_bucket{le="+Inf"} 3
c_seconds_sum 4.5
c_seconds_count 3
# HELP d 
# TYPE d gauge
d 0.25
# HELP target_info What is measured.
# TYPE target_info gauge
target_info{service_name="turnwire"} 1
`, string(exposition.Append(nil, metrics("x"))))
}

func FuzzAnyLabelIsReadBack(f *testing.F) {
	f.Add("x")
	f.Add("\"\\\n\r\x00{},=\xff")
	f.Fuzz(func(t *testing.T, label string) {
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(strings.NewReader(string(exposition.Append(nil, metrics(label)))))
		require.NoError(t, err)
		require.Equal(t, strings.ToValidUTF8(label, "\ufffd"), families["a_io_bytes_total"].GetMetric()[0].GetLabel()[0].GetValue())
	})
}
