package serve

import (
	"net/http"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

// PathAHP is the path of the Agent Host Protocol. A WebSocket at / uses it too, because
// VS Code's server can't specify a path.
const PathAHP = "/ahp"

const (
	// hostToken is the query parameter in which VS Code sends the token.
	hostToken = "tkn"
	// editorOrigin is the origin of VS Code's own windows. No web page has it.
	editorOrigin = "vscode-file://vscode-app"
)

// hostGuard returns the guard for [PathAHP], derived from the one for other paths.
func hostGuard(g *guard.Guard) *guard.Guard {
	return &guard.Guard{
		Tokens: g.Tokens, Hosts: g.Hosts, Origins: append(slices.Clone(g.Origins), editorOrigin), Query: hostToken, Log: g.Log,
	}
}

// withHost adds [PathAHP] to next, with its own guard.
func (c Config) withHost(g *guard.Guard, endpoints *endpoints, next http.Handler) http.Handler {
	if endpoints.ahp == nil {
		return next
	}
	host := g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isWebSocket(r) {
			w.Header().Set("Upgrade", "websocket")
			http.Error(w, "this address requires a WebSocket", http.StatusUpgradeRequired)
			return
		}
		endpoints.ahp.ServeHTTP(w, r)
	}))
	mux := http.NewServeMux()
	mux.Handle(PathAHP, host)
	mux.Handle("/", next)
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		if isWebSocket(r) {
			host.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
	return mux
}

func isWebSocket(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}
