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

// scope names what measures.
const scope = "github.com/turnwire/turnwire"

// Options say what is measured beside what the environment says.
type Options struct {
	Getenv  func(string) string
	Version string
	// Scrape keeps the metrics for [Telemetry.ServeHTTP].
	Scrape bool
	Log    *slog.Logger
}

// A Telemetry measures. A nil one measures nothing.
type Telemetry struct {
	log     *slog.Logger
	tracer  trace.Tracer
	traces  bool // spans are sent somewhere
	metrics *instruments
	scrape  *metric.ManualReader // nil if nobody reads it
	closers []func(context.Context) error
}

// Open returns what measures, or nil where nobody wants to know. Spans and metrics
// are sent where one of the variables OTEL_EXPORTER_OTLP_ENDPOINT, _TRACES_ENDPOINT
// and _METRICS_ENDPOINT says so, or OTEL_TRACES_EXPORTER or OTEL_METRICS_EXPORTER
// is otlp.
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
		return nil, nil //nolint:nilnil // nobody wants to know
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { o.Log.Warn("telemetry", "error", err) }))
	t := &Telemetry{log: o.Log, tracer: noop.NewTracerProvider().Tracer(scope)}
	what, err := describe(o.Version)
	if err != nil {
		o.Log.Warn("telemetry: what the environment says of the resource", "error", err)
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

// wanted reports whether a signal is to be sent.
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

// describe is the resource: this program, with what the environment says of it.
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

// measure has metrics sent, kept for those who ask, or both.
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

// Close sends what is not sent yet, as long as ctx lasts.
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

// ServeHTTP answers with all metrics, as Prometheus reads them.
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
		t.log.Warn("metrics could not be collected", "error", err)
		http.Error(w, "the metrics could not be collected", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", exposition.ContentType)
	if _, err := w.Write(exposition.Append(nil, &all)); err != nil {
		t.log.Debug("nobody reads the metrics any more", "error", err)
	}
}
