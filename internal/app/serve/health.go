package serve

import (
	"io"
	"net/http"
)

// The paths that tell whether all is well, as Kubernetes and load balancers ask.
const (
	pathAlive = "/healthz"
	pathReady = "/readyz"
)

// pathMetrics is where [Config.Metrics] is.
const pathMetrics = "/metrics"

// health answers those who ask whether the server lives, and whether it takes new
// connections. They need no token and no name for it: a probe has neither, and
// learns nothing else. next has all other requests.
func health(e *endpoints, next http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", next)
	mux.HandleFunc("GET "+pathAlive, func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET "+pathReady, func(w http.ResponseWriter, _ *http.Request) {
		if e.isClosed() {
			say(w, http.StatusServiceUnavailable, "the server is ending")
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
