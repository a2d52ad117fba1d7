package agentb

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// usual lists the handler's routes in the framework's documentation and
// examples. A host may choose any other.
var usual = []string{"/agent/stream", "/chat-with-my-api"}

// Routes returns the possible routes of the handler below the server's URL, the
// most likely first. If path is not empty, it is the only one. Otherwise, they
// are the URL itself, if it has a path, and the usual routes.
func Routes(server, path string) []string {
	if path != "" {
		return []string{path}
	}
	routes := slices.Clone(usual)
	if u, err := url.Parse(server); err == nil && strings.Trim(u.Path, "/") != "" {
		if route := strings.TrimRight(u.Path, "/"); slices.ContainsFunc(usual, func(known string) bool { return strings.HasSuffix(route, known) }) {
			return []string{""}
		}
		routes = slices.Insert(routes, 0, "")
	}
	return routes
}

// NoRouteError reports that a server has none of the routes.
type NoRouteError struct {
	URL   string // of the server, without secrets
	Tried []string
}

// Error implements error.
func (e *NoRouteError) Error() string {
	return fmt.Sprintf("POST %s returned 404: AgentB's handler has another route. Set your host's route "+
		"in the URL or as `path` in turnwire.json", strings.Join(Shown(e.URL, e.Tried), " and "))
}

// Code implements [lifecycle.Coded].
func (*NoRouteError) Code() string { return "http_404" }

// Shown returns routes for display. server must contain no secrets.
func Shown(server string, routes []string) (shown []string) {
	for _, route := range routes {
		route, _, _ = strings.Cut(route, "?")
		shown = append(shown, strings.TrimSuffix(strings.TrimSuffix(server, "/")+"/"+strings.Trim(route, "/"), "/"))
	}
	return shown
}

// Open implements [runs.Conversation]. A prompt goes to the first route that exists, which
// is the only one from then on.
func (b *backend) Open(ctx context.Context) (*httpsse.Stream, dialect.Decoder, error) {
	if b.path != "" {
		events, err := b.Client.Stream(ctx, http.MethodPost, b.path, b.body, "")
		return events, b.decoder, err
	}
	events, route, err := b.Client.StreamFirst(ctx, http.MethodPost, b.routes, b.body)
	switch {
	case err == nil:
		b.routes = []string{route}
	case httpsse.HasStatus(err, http.StatusNotFound, http.StatusMethodNotAllowed):
		err = &NoRouteError{b.Client.URL(), b.routes}
	}
	return events, b.decoder, err
}
