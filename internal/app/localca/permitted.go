package localca

import (
	"net"
	"net/netip"
	"strings"
)

// networks are the private networks, and those that reach only this machine or its link.
var networks = []netip.Prefix{
	netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"),
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("100.64.0.0/10"), // shared addresses, which Tailscale uses
	netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("fe80::/10"), netip.MustParsePrefix("fc00::/7"),
}

// domains are the domains that no public authority certifies: those of RFC 6761 and 6762,
// RFC 8375, ICANN's .internal, and what home routers use.
var domains = []string{"localhost", "local", "home.arpa", "internal", "lan", "home"}

func permittedRanges() (ranges []*net.IPNet) {
	for _, n := range networks {
		ranges = append(ranges, &net.IPNet{IP: n.Addr().AsSlice(), Mask: net.CIDRMask(n.Bits(), n.Addr().BitLen())})
	}
	return ranges
}

// permittedNames returns the permitted domains, and a machine's own name if it has no
// domain.
func permittedNames(host string) []string {
	if name := clean(host); name != "" && !strings.Contains(name, ".") {
		return append([]string{name}, domains...)
	}
	return domains
}

// clean returns a host name in lower case, or "" if a certificate can't contain it.
func clean(host string) string {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	for _, c := range name {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return ""
		}
	}
	return name
}

// Permits reports whether the authority may certify a host, which is a name or an address.
func (a *Authority) Permits(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return private(ip)
	}
	name := clean(host)
	for _, d := range a.cert.PermittedDNSDomains {
		if name == d || strings.HasSuffix(name, "."+d) {
			return true
		}
	}
	return false
}

func private(ip netip.Addr) bool {
	for _, n := range networks {
		if n.Contains(ip.Unmap()) {
			return true
		}
	}
	return false
}

// Addresses returns the machine's addresses in private networks, IPv4 first, without those
// of a single link.
func Addresses() (all []netip.Addr) {
	interfaces, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var six []netip.Addr
	for _, i := range interfaces {
		n, ok := i.(*net.IPNet)
		if !ok {
			continue
		}
		ip, ok := netip.AddrFromSlice(n.IP)
		ip = ip.Unmap()
		switch {
		case !ok || !private(ip) || ip.IsLinkLocalUnicast():
		case ip.Is4():
			all = append(all, ip)
		default:
			six = append(six, ip)
		}
	}
	return append(all, six...)
}
