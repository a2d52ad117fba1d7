package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/turnwire/turnwire/internal/app/telemetry/exposition"
	"github.com/turnwire/turnwire/internal/app/telemetry/otlp"
)

// scope is the name of the instrumentation scope.
const scope = "github.com/turnwire/turnwire"

// Options configure telemetry, in addition to the environment.
type Options struct {
	Getenv  func(string) string
	Version string
	// Scrape enables [Telemetry.ServeHTTP].
	Scrape bool
	Log    *slog.Logger
}

// A Telemetry records spans and metrics. A nil one records nothing.
type Telemetry struct {
	log     *slog.Logger
	tracer  trace.Tracer
	traces  bool // spans are exported
	metrics *instruments
	scrape  *metric.ManualReader // nil if metrics can't be scraped
	closers []func(context.Context) error
}

// Open returns the telemetry, or nil if it is disabled. Spans and metrics are exported if
// one of the variables OTEL_EXPORTER_OTLP_ENDPOINT, _TRACES_ENDPOINT and
// _METRICS_ENDPOINT is set, or if OTEL_TRACES_EXPORTER or OTEL_METRICS_EXPORTER is otlp.
//
// Source: OpenTelemetry, environment variable specification.
func Open(o Options) (*Telemetry, error) {
	disabled := o.Getenv("OTEL_SDK_DISABLED") == "true"
	spans, err := wanted(o.Getenv, "TRACES")
	if err != nil {
		return nil, err
	}
	metrics, err := wanted(o.Getenv, "METRICS")
	if err != nil {
		return nil, err
	}
	spans, metrics = spans && !disabled, metrics && !disabled
	if !spans && !metrics && !o.Scrape {
		return nil, nil //nolint:nilnil // telemetry is off
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { o.Log.Warn("telemetry", "error", err) }))
	t := &Telemetry{log: o.Log, tracer: noop.NewTracerProvider().Tracer(scope)}
	what, err := describe(o.Version)
	if err != nil {
		o.Log.Warn("telemetry: invalid resource in the environment", "error", err)
	}
	if spans {
		if err := t.sendSpans(o, what); err != nil {
			return nil, err
		}
	}
	if err := t.measure(o, what, metrics); err != nil {
		return nil, errors.Join(err, t.Close(context.Background()))
	}
	return t, nil
}

// wanted reports whether a signal is exported.
func wanted(getenv func(string) string, signal string) (bool, error) {
	switch exporter := getenv("OTEL_" + signal + "_EXPORTER"); exporter {
	case "none":
		return false, nil
	case "otlp":
		return true, nil
	case "":
		return getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || getenv("OTEL_EXPORTER_OTLP_"+signal+"_ENDPOINT") != "", nil
	default:
		return false, fmt.Errorf("OTEL_%s_EXPORTER=%s: use otlp or none; turnwire serve has metrics for Prometheus at /metrics", signal, exporter)
	}
}

// describe returns the resource: this program, with the attributes from the environment.
func describe(version string) (*resource.Resource, error) {
	return resource.New(context.Background(),
		resource.WithAttributes(attribute.String("service.name", "turnwire"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
}

func (t *Telemetry) sendSpans(o Options, what *resource.Resource) error {
	exporter, err := otlp.NewSpans(o.Getenv)
	if err != nil {
		return err
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(what))
	t.tracer, t.traces = provider.Tracer(scope, trace.WithInstrumentationVersion(o.Version)), true
	t.closers = append(t.closers, provider.Shutdown)
	return nil
}

// measure sets up metrics that are exported, scraped, or both.
func (t *Telemetry) measure(o Options, what *resource.Resource, send bool) (err error) {
	options := []metric.Option{metric.WithResource(what)}
	if send {
		exporter, err := otlp.NewMetrics(o.Getenv)
		if err != nil {
			return err
		}
		options = append(options, metric.WithReader(metric.NewPeriodicReader(exporter)))
	}
	if o.Scrape {
		t.scrape = metric.NewManualReader()
		options = append(options, metric.WithReader(t.scrape))
	}
	provider := metric.NewMeterProvider(options...)
	t.closers = append(t.closers, provider.Shutdown)
	t.metrics, err = newInstruments(provider.Meter(scope))
	return err
}

// Close sends the remaining data, until ctx ends.
func (t *Telemetry) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	var all []error
	for _, c := range t.closers {
		all = append(all, c(ctx))
	}
	return errors.Join(all...)
}

// ServeHTTP serves all metrics in the Prometheus format.
func (t *Telemetry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if t == nil || t.scrape == nil {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "use GET", http.StatusMethodNotAllowed)
		return
	}
	var all metricdata.ResourceMetrics
	if err := t.scrape.Collect(r.Context(), &all); err != nil {
		t.log.Warn("some metrics could not be collected", "error", err)
		http.Error(w, "the metrics could not be collected", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", exposition.ContentType)
	if _, err := w.Write(exposition.Append(nil, &all)); err != nil {
		t.log.Debug("the client stopped reading the metrics", "error", err)
	}
}
