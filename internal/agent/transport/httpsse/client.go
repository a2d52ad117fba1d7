package httpsse

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

const (
	defaultStart = 30 * time.Second
	maxAnswer    = 32 << 20 // size limit of a response, in bytes
	maxDetail    = 4 << 10  // how much of an error's body is examined, in bytes
)

// Config configures a [Client].
type Config struct {
	BaseURL string
	Header  http.Header // sent with each request, such as Authorization
	// StartTimeout is how long a response may take to begin. 0 means 30 s.
	StartTimeout time.Duration
	// IdleTimeout is how long a stream may send nothing, not even heartbeats. 0 means
	// no limit.
	IdleTimeout time.Duration
	// Prompt means that a stream must also send its first bytes within StartTimeout, not
	// only its headers.
	Prompt bool
	// PathHint is a sentence, without its full stop, about which path to use. Errors about
	// a missing path end with it.
	PathHint string
	// Transport sends the requests. If it is nil, a copy of [http.DefaultTransport] is
	// used, which shares no connections with it.
	Transport http.RoundTripper
	Log       *slog.Logger
}

// A Client talks to one server. It is safe for concurrent use.
type Client struct {
	base    *url.URL
	config  Config
	secrets *strings.Replacer
	http    *http.Client
}

// New returns a client. It returns an error if the URL is invalid.
func New(c Config) (*Client, error) {
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return nil, unreadable(c.BaseURL, err)
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, fmt.Errorf("the URL %q must begin with http:// or https:// and a host", shown(base))
	}
	if c.StartTimeout == 0 {
		c.StartTimeout = defaultStart
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Transport == nil {
		c.Transport = http.DefaultTransport.(*http.Transport).Clone()
	}
	return &Client{base: base, config: c, secrets: secretsOf(base, c.Header), http: &http.Client{
		Transport: c.Transport,
		// Send credentials only to the configured host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Connect returns a client for a session. It sets the session's log, if it has none, which
// is also the client's unless the configuration has another.
func Connect(c Config, o *agent.Options) (*Client, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if c.Log == nil {
		c.Log = o.Log
	}
	return New(c)
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// URL returns the base URL without parts that may be secret.
func (c *Client) URL() string { return shown(c.base) }

// Call sends body as JSON and decodes the response into out. Either may be nil. path
// may contain a query.
func (c *Client) Call(ctx context.Context, method, path string, body, out any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.config.StartTimeout, ErrLate)
	defer cancel()
	r, err := c.send(ctx, method, path, body, http.Header{"Accept": {"application/json"}})
	if err != nil {
		return err
	}
	defer r.Body.Close() //nolint:errcheck // it was read
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxAnswer))
	if err != nil {
		return c.brokenOff(ctx, r.Request, err)
	}
	if out == nil {
		return nil
	}
	if err := exactjson.Unmarshal(raw, out); err != nil {
		return &UnexpectedError{placeOf(r.Request), "JSON", describe(r.Header, raw), err}
	}
	return nil
}

// Cookies sends a request without a body and returns the cookies that the response sets. A
// redirect is a success.
func (c *Client) Cookies(ctx context.Context, method, path string) ([]*http.Cookie, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.config.StartTimeout, ErrLate)
	defer cancel()
	r, err := c.do(ctx, method, path, nil, make(http.Header))
	if err != nil {
		return nil, err
	}
	defer r.Body.Close() //nolint:errcheck // only the headers are of interest
	if r.StatusCode >= http.StatusBadRequest {
		return nil, c.failure(r)
	}
	return r.Cookies(), nil
}

// send sends a request and returns the response if its status is 2xx.
func (c *Client) send(ctx context.Context, method, path string, body any, header http.Header) (*http.Response, error) {
	r, err := c.do(ctx, method, path, body, header)
	if err != nil {
		return nil, err
	}
	if r.StatusCode/100 != 2 {
		defer r.Body.Close() //nolint:errcheck // of an error only its beginning is of interest
		return nil, c.failure(r)
	}
	return r, nil
}

// failure returns the error of a response with an error status.
func (c *Client) failure(r *http.Response) error {
	raw, _ := io.ReadAll(io.LimitReader(r.Body, maxDetail))
	failed := &StatusError{place: placeOf(r.Request), Status: r.StatusCode, Detail: detail(r.Header, raw, c.secrets)}
	if r.StatusCode == http.StatusNotFound || r.StatusCode == http.StatusMethodNotAllowed {
		failed.hint = c.config.PathHint
	}
	return failed
}

// do sends a request and returns the response, whatever its status.
func (c *Client) do(ctx context.Context, method, path string, body any, header http.Header) (*http.Response, error) {
	target, err := c.target(path)
	if err != nil {
		return nil, err
	}
	var content io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("encode the request: %w", err)
		}
		content = bytes.NewReader(raw)
		header.Set("Content-Type", "application/json")
	}
	req, err := http.NewRequestWithContext(ctx, method, target.String(), content)
	if err != nil {
		return nil, err
	}
	if trace := agent.TraceOf(ctx); trace.TraceParent != "" {
		header.Set("Traceparent", trace.TraceParent)
		if trace.TraceState != "" {
			header.Set("Tracestate", trace.TraceState)
		}
	}
	for key, values := range c.config.Header {
		header[http.CanonicalHeaderKey(key)] = values
	}
	req.Header = header
	if c.base.User != nil && header.Get("Authorization") == "" {
		password, _ := c.base.User.Password()
		req.SetBasicAuth(c.base.User.Username(), password)
	}
	c.config.Log.Debug("request", "method", method, "url", shown(target))
	r, err := c.http.Do(req)
	if err != nil {
		return nil, c.unreachable(ctx, req, err)
	}
	return r, nil
}

// target joins a path, which may have a query, to the base URL.
func (c *Client) target(path string) (*url.URL, error) {
	path, query, _ := strings.Cut(path, "?")
	u := *c.base
	u.User = nil
	u.RawPath = c.base.EscapedPath()
	if path != "" {
		u.RawPath = strings.TrimSuffix(u.RawPath, "/") + "/" + strings.TrimPrefix(path, "/")
	}
	var err error
	if u.Path, err = url.PathUnescape(u.RawPath); err != nil {
		return nil, fmt.Errorf("the path %q: %w", path, err)
	}
	if query != "" {
		u.RawQuery = strings.TrimPrefix(u.RawQuery+"&"+query, "&")
	}
	return &u, nil
}
