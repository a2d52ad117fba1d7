package guard

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// isHost reports whether a request's Host is a name of this server. If an attacker
// makes their page's host name resolve to this machine, requests contain that name. An
// IP address cannot be redirected like that.
func (g *Guard) isHost(host string) bool {
	name := hostname(host)
	if name == "" {
		return false
	}
	if name == "localhost" {
		return true
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return slices.ContainsFunc(g.Hosts, func(h string) bool { return strings.EqualFold(h, name) }) ||
		g.HasName != nil && g.HasName(name)
}

// hostname returns a Host without its port, in lower case.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// isOrigin reports whether pages of an origin may use this server. host is the
// request's Host.
func (g *Guard) isOrigin(origin, host string) bool {
	if slices.ContainsFunc(g.Origins, func(o string) bool { return strings.EqualFold(o, origin) }) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, host)
}

// share allows a page to read the responses.
func share(h http.Header, origin string) {
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE, OPTIONS")
	h.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type, Acp-Connection-Id, Acp-Session-Id, Acp-Protocol-Version")
	h.Set("Access-Control-Expose-Headers", "Acp-Connection-Id, Acp-Session-Id")
}
