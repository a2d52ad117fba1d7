package otlp

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// defaultEndpoint is the default address of a collector on this machine.
const defaultEndpoint = "http://localhost:4318"

// defaultTimeout limits a request including all attempts.
const defaultTimeout = 10 * time.Second

// NewSpans returns a span exporter that is configured by the environment.
func NewSpans(getenv func(string) string) (*Spans, error) {
	to, err := newSender(getenv, "TRACES", "/v1/traces")
	if err != nil {
		return nil, err
	}
	return &Spans{to}, nil
}

// NewMetrics returns a metrics exporter that is configured by the environment.
func NewMetrics(getenv func(string) string) (*Metrics, error) {
	to, err := newSender(getenv, "METRICS", "/v1/metrics")
	if err != nil {
		return nil, err
	}
	return &Metrics{to}, nil
}

// newSender reads the standard variables for a signal. A signal-specific variable takes
// precedence over the general one.
//
// Source: OpenTelemetry, OTLP exporter configuration.
func newSender(getenv func(string) string, signal, path string) (*sender, error) {
	lookup := func(name string) (value, variable string) {
		for _, variable = range []string{"OTEL_EXPORTER_OTLP_" + signal + "_" + name, "OTEL_EXPORTER_OTLP_" + name} {
			if value = strings.TrimSpace(getenv(variable)); value != "" {
				return value, variable
			}
		}
		return "", variable
	}
	s := &sender{timeout: defaultTimeout, header: make(http.Header)}
	if protocol, variable := lookup("PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		return nil, fmt.Errorf("%s=%s: only http/protobuf is supported; collectors accept it on port 4318", variable, protocol)
	}
	endpoint, variable := lookup("ENDPOINT")
	if endpoint == "" {
		endpoint = defaultEndpoint
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s: use a URL such as %s", variable, defaultEndpoint)
	}
	if variable == "OTEL_EXPORTER_OTLP_ENDPOINT" {
		u = u.JoinPath(path)
	}
	s.url = u.String()
	if text, variable := lookup("TIMEOUT"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n <= 0 {
			return nil, fmt.Errorf("%s=%s: use milliseconds", variable, text)
		}
		s.timeout = time.Duration(n) * time.Millisecond
	}
	switch compression, variable := lookup("COMPRESSION"); compression {
	case "", "none":
	case "gzip":
		s.gzip = true
	default:
		return nil, fmt.Errorf("%s=%s: use gzip or none", variable, compression)
	}
	if list, variable := lookup("HEADERS"); list != "" {
		if err := addHeaders(s.header, list); err != nil {
			return nil, fmt.Errorf("%s: %w", variable, err) // without the value, which may be secret
		}
	}
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // net/http says so
	if t.TLSClientConfig, err = tlsConfig(lookup); err != nil {
		return nil, err
	}
	s.client = &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return s, nil
}

// addHeaders adds name=value pairs, which are separated by commas and percent-encoded.
func addHeaders(h http.Header, list string) error {
	for i, pair := range strings.Split(list, ",") {
		name, value, ok := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !ok || name == "" || err != nil {
			return fmt.Errorf("header %d: use name=value, separated by commas", i+1)
		}
		h.Add(name, value)
	}
	return nil
}

// tlsConfig returns the TLS configuration from the environment, or nil.
func tlsConfig(lookup func(string) (value, variable string)) (*tls.Config, error) {
	ca, caVariable := lookup("CERTIFICATE")
	cert, certVariable := lookup("CLIENT_CERTIFICATE")
	key, _ := lookup("CLIENT_KEY")
	if ca == "" && cert == "" {
		return nil, nil //nolint:nilnil // net/http has a default
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca != "" {
		pem, err := os.ReadFile(ca)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", caVariable, err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: %s contains no certificate", caVariable, ca)
		}
	}
	if cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", certVariable, err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}
