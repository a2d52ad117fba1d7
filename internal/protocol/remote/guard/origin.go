package guard

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// isHost reports whether the Host of a request is a name of this server. A page
// whose own name was made to lead to this machine has that name in its requests.
// An address cannot be made to lead anywhere else.
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

// hostname is a Host without its port, in lower case.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// isOrigin reports whether pages of an origin may reach this server, which the
// request calls host.
func (g *Guard) isOrigin(origin, host string) bool {
	if slices.ContainsFunc(g.Origins, func(o string) bool { return strings.EqualFold(o, origin) }) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, host)
}

// share lets a page read the answers.
func share(h http.Header, origin string) {
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE, OPTIONS")
	h.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type, Acp-Connection-Id, Acp-Session-Id, Acp-Protocol-Version")
	h.Set("Access-Control-Expose-Headers", "Acp-Connection-Id, Acp-Session-Id")
}
