// Package guard decides who may reach a server that is meant for one person.
//
// # Contract
//
// A request passes if its Host is a name of the server, if the page that it
// comes from, where it comes from one, is one of the server's own or of those
// that were allowed, and if it has a token, where tokens are wanted. The first
// two stop pages of strangers, in a browser on the same machine, whatever names
// they have made lead here. Everything else is refused with a status and a
// sentence before anything of its body is read.
//
// A token is taken from the header Authorization, or from the cookie of the server's
// own page where the request comes from that. From an address, which is logged and
// kept in histories, it is taken only where [Guard.Query] says so.
package guard

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// A Caller is who sends a request.
type Caller struct {
	// Token is the name of the token; "" where none is wanted.
	Token string
	// Valid reports whether the token still is.
	Valid func() bool
}

// Tokens are those that are known.
type Tokens interface {
	// Find returns the name of a token, or false for one that nobody has made,
	// or that is not valid any more.
	Find(token string) (name string, ok bool)
}

// A Guard stands before a server. Its fields are not changed once it serves.
type Guard struct {
	// Tokens are those that open; nil lets everybody in.
	Tokens Tokens
	// Hosts are names of the server, beside localhost and addresses.
	Hosts []string
	// HasName reports names beside those in Hosts, such as those of a
	// certificate; it may be nil.
	HasName func(host string) bool
	// Origins are those of pages that may reach the server, beside its own: such
	// as https://example.org.
	Origins []string
	// Query is the parameter of an address that has the token, for clients that can
	// send no header; "" is none.
	Query string
	Log   *slog.Logger
}

type key struct{}

// CallerOf is who has sent a request that a guard has let pass.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(key{}).(Caller)
	return c
}

// Wrap returns next behind the guard.
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

// WrapOpen returns next behind the guard, without a token: for what holds no secret.
// Pages of other origins do not reach it, whoever allows them the rest.
func (g *Guard) WrapOpen(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch origin := r.Header.Get("Origin"); {
		case !g.isHost(r.Host):
			g.refuse(w, r, http.StatusForbidden, notThatName)
		case origin != "" && !SameOrigin(r):
			g.refuse(w, r, http.StatusForbidden, "pages of that origin may not reach this")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

const notThatName = "this server does not have that name: start it with --allow-host to give it one"

// known lets pass what comes to a name of the server, and from a page that may.
func (g *Guard) known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.isHost(r.Host) {
			g.refuse(w, r, http.StatusForbidden, notThatName)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			if !g.isOrigin(origin, r.Host) {
				g.refuse(w, r, http.StatusForbidden, "pages of that origin may not reach this server: --allow-origin allows one")
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

// bearer is the token of a request, or "".
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
		g.refuse(w, r, http.StatusUnauthorized, "a token is needed: turnwire token create makes one, on the server's machine")
		return
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="turnwire", error="invalid_token"`)
	g.refuse(w, r, http.StatusUnauthorized, "this token is not known, has expired or was revoked")
}

func (g *Guard) refuse(w http.ResponseWriter, r *http.Request, status int, why string) {
	if r.ContentLength != 0 { // the server would wait for the body, and what sends it may never do so
		_ = http.NewResponseController(w).SetReadDeadline(time.Now())
	}
	g.Log.Warn("refused a request", "remote", r.RemoteAddr, "method", r.Method, "status", status, "host", short(r.Host), "origin", short(r.Header.Get("Origin")))
	http.Error(w, why, status)
}

// short bounds what a stranger can put into a log.
func short(s string) string { return s[:min(len(s), 200)] }
