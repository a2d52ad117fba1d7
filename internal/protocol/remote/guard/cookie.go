package guard

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// A page cannot send a header with a WebSocket request, so the browser sends the token
// in a cookie. Browsers send cookies no matter which page causes a request, even one on
// another port of the host. The cookie is therefore only accepted if the request comes
// from a page of this server.

// SameOrigin reports whether a request comes from a page of this server. Browsers
// declare this with each POST and each WebSocket request.
func SameOrigin(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site") // absent in older browsers
	u, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && strings.EqualFold(u.Host, r.Host) &&
		(r.TLS == nil || u.Scheme == "https") && (site == "" || site == "same-origin")
}

// IsSecure reports whether the page that sent a request was loaded over TLS, possibly
// terminated by a proxy.
func IsSecure(r *http.Request) bool {
	return r.TLS != nil || strings.HasPrefix(r.Header.Get("Origin"), "https://")
}

// CookieName returns the name of the cookie for the server that a request is sent to.
// It includes the port, because all servers on a host share its cookies.
func CookieName(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		port = "default"
	}
	if IsSecure(r) {
		return "__Host-turnwire-" + port
	}
	return "turnwire-" + port
}

// token returns the token in a request, or "".
func (g *Guard) token(r *http.Request) string {
	if r.Header.Get("Authorization") != "" {
		return bearer(r)
	}
	if g.Query != "" {
		if token := r.URL.Query().Get(g.Query); token != "" {
			return token
		}
	}
	if !SameOrigin(r) {
		return ""
	}
	c, err := r.Cookie(CookieName(r))
	if err != nil {
		return ""
	}
	return c.Value
}
