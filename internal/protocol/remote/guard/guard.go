// Package guard controls access to a server that is meant for one person.
//
// # Contract
//
// A request passes if three conditions hold. Its Host is a name of the server. Its
// Origin, if it has one, is the server's own or an allowed one. And it has a token, if
// tokens are required. The first two conditions stop foreign pages in a browser on the
// same machine, even if their host names resolve to this machine. Any other request is
// refused with a status and a message before its body is read.
//
// The token is read from the Authorization header, or from the server's cookie if the
// request comes from the server's own page. It is read from the URL, which ends up in
// logs and histories, only if [Guard.Query] is set.
package guard

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// A Caller identifies the sender of a request.
type Caller struct {
	// Token is the name of the token, or "" if none is required.
	Token string
	// Valid reports whether the token is still valid.
	Valid func() bool
}

// Tokens looks up tokens.
type Tokens interface {
	// Find returns the name of a token, or false if the token is unknown or no longer
	// valid.
	Find(token string) (name string, ok bool)
}

// A Guard protects a server. Its fields must not be changed once it serves.
type Guard struct {
	// Tokens are the accepted tokens. If nil, no token is required.
	Tokens Tokens
	// Hosts are the server's names in addition to localhost and IP addresses.
	Hosts []string
	// HasName, if not nil, accepts names in addition to those in Hosts, such as those
	// in a certificate.
	HasName func(host string) bool
	// Origins are the origins of other pages that may use the server, such as
	// https://example.org.
	Origins []string
	// Query is the URL parameter that may contain the token, for clients that can't
	// send a header. "" disables it.
	Query string
	Log   *slog.Logger
}

type key struct{}

// CallerOf returns the sender of a request that a guard accepted.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(key{}).(Caller)
	return c
}

// Wrap returns next, protected by the guard.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return g.known(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := Caller{Valid: func() bool { return true }}
		if g.Tokens != nil {
			token := g.token(r)
			name, ok := g.Tokens.Find(token)
			if !ok {
				g.unauthorized(w, r)
				return
			}
			caller = Caller{name, func() bool {
				_, ok := g.Tokens.Find(token)
				return ok
			}}
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, caller)))
	}))
}

// WrapOpen returns next, protected by the guard except for the token. Use it for
// content without secrets. Pages of other origins have no access, even if Origins lists
// them.
func (g *Guard) WrapOpen(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch origin := r.Header.Get("Origin"); {
		case !g.isHost(r.Host):
			g.refuse(w, r, http.StatusForbidden, notThatName)
		case origin != "" && !SameOrigin(r):
			g.refuse(w, r, http.StatusForbidden, "that origin is not allowed")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

const notThatName = "unknown host name: start the server with --allow-host to accept it"

// known accepts requests to one of the server's names and from an allowed page.
func (g *Guard) known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.isHost(r.Host) {
			g.refuse(w, r, http.StatusForbidden, notThatName)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			if !g.isOrigin(origin, r.Host) {
				g.refuse(w, r, http.StatusForbidden, "that origin is not allowed: start the server with --allow-origin to accept it")
				return
			}
			share(w.Header(), origin)
			if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// bearer returns the bearer token of a request, or "".
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

func (g *Guard) unauthorized(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") == "" {
		w.Header().Set("WWW-Authenticate", `Bearer realm="turnwire"`)
		g.refuse(w, r, http.StatusUnauthorized, "a token is required: create one on the server's machine with turnwire token create")
		return
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="turnwire", error="invalid_token"`)
	g.refuse(w, r, http.StatusUnauthorized, "the token is unknown, expired or revoked")
}

func (g *Guard) refuse(w http.ResponseWriter, r *http.Request, status int, why string) {
	if r.ContentLength != 0 { // otherwise the server would wait for the body, which may never arrive
		_ = http.NewResponseController(w).SetReadDeadline(time.Now())
	}
	g.Log.Warn("refused a request", "remote", r.RemoteAddr, "method", r.Method, "status", status, "host", short(r.Host), "origin", short(r.Header.Get("Origin")))
	http.Error(w, why, status)
}

// short bounds client-supplied text in a log.
func short(s string) string { return s[:min(len(s), 200)] }
