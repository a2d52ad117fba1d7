package serve

import (
	"io"
	"net/http"
)

// Health check paths, in the style of Kubernetes and load balancers.
const (
	pathAlive = "/healthz"
	pathReady = "/readyz"
)

// pathMetrics is the path of [Config.Metrics].
const pathMetrics = "/metrics"

// health adds health checks: whether the server is alive, and whether it accepts new
// connections. They need neither a token nor an allowed host name, because a probe has
// neither, and they reveal nothing else. All other requests go to next.
func health(e *endpoints, next http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", next)
	mux.HandleFunc("GET "+pathAlive, func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET "+pathReady, func(w http.ResponseWriter, _ *http.Request) {
		if e.isClosed() {
			say(w, http.StatusServiceUnavailable, "the server is shutting down")
			return
		}
		say(w, http.StatusOK, "ok")
	})
	return mux
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n")
}
