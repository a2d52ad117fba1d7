package guard

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// A page cannot send a token with a WebSocket, so that its browser does so in a
// cookie. A browser sends cookies whoever asks it to, also pages of other ports of
// the host: it counts only where the request says that it comes from a page of this
// very server.

// SameOrigin reports whether a request names a page of this server as the one that
// it comes from. Browsers say so with each POST and each WebSocket.
func SameOrigin(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site") // older browsers do not say
	u, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && strings.EqualFold(u.Host, r.Host) &&
		(r.TLS == nil || u.Scheme == "https") && (site == "" || site == "same-origin")
}

// IsSecure reports whether the page that sends a request was loaded by TLS, which a
// proxy may end.
func IsSecure(r *http.Request) bool {
	return r.TLS != nil || strings.HasPrefix(r.Header.Get("Origin"), "https://")
}

// CookieName is the cookie of the server that a request goes to. Cookies are those of
// a host, and servers on it differ by their ports.
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

// token is that of a request, or "".
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
