package agents

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/agentb"
)

// reachRoute finds the handler of an AgentB server without starting a run. A framework
// like Express answers OPTIONS with a route's methods, and with 404 if the route doesn't
// exist.
func reachRoute(ctx context.Context, client http.RoundTripper, server *url.URL, path string, r Reach) Reach {
	routes := agentb.Routes(server.String(), path)
	tried := agentb.Shown(server.String(), routes)
	missingAll := true
	for i, target := range tried {
		status, allowed := options(ctx, client, target)
		if slices.Contains(allowed, http.MethodPost) {
			return found(r, "it accepts prompts at "+tried[i])
		}
		missingAll = missingAll && status == http.StatusNotFound
	}
	if missingAll {
		return missing(r, "it responds, but has no handler at "+strings.Join(tried, " or ")+": set its route in the URL, or as path in turnwire.json")
	}
	r.Detail = "it responds; the first prompt shows whether it accepts prompts at " + strings.Join(tried, " or ") + " shows with the first one"
	return r
}

// reachEndpoint decides about an AG-UI server that has no page at its endpoint. Some
// frameworks answer any method but POST with 404.
func reachEndpoint(ctx context.Context, client http.RoundTripper, target string, r Reach) Reach {
	status, allowed := options(ctx, client, target)
	if status == http.StatusNotFound && !slices.Contains(allowed, http.MethodPost) {
		r.Detail = "it responds, but perhaps not to prompts: the path depends on the framework, such as /, /agent or /agui"
		return r
	}
	return found(r, "it responds")
}

// options returns the methods of a route, as reported by the server.
func options(ctx context.Context, client http.RoundTripper, target string) (status int, allowed []string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodOptions, target, http.NoBody)
	if err != nil {
		return 0, nil
	}
	answer, err := client.RoundTrip(req)
	if err != nil {
		return 0, nil
	}
	_ = answer.Body.Close() // not needed
	for method := range strings.SplitSeq(answer.Header.Get("Allow"), ",") {
		allowed = append(allowed, strings.ToUpper(strings.TrimSpace(method)))
	}
	return answer.StatusCode, allowed
}
