package push

import (
	"crypto/ecdh"
	"encoding/base64"
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

const (
	maxEndpoint = 2 << 10 // bytes
	authSize    = 16      // bytes of a subscription's secret
)

// A Subscription is a browser's permission to send it notifications.
type Subscription struct {
	Endpoint string `json:"endpoint"`
	Keys     struct {
		P256dh string `json:"p256dh"` // the browser's public key, in Base64
		Auth   string `json:"auth"`   // a secret of the browser and this server, in Base64
	} `json:"keys"`
}

// An owner is the token that a subscription belongs to. Without tokens, it is empty.
type owner struct {
	Token       string `json:"token,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
}

// A saved subscription is one in the file.
type saved struct {
	Subscription
	owner
	Created time.Time `json:"created"`
}

var (
	errEndpoint = errors.New("the endpoint must be an https address on the internet")
	errKeys     = errors.New("the keys of the subscription are invalid")
)

// check returns an error if nothing can be sent to s.
func (s *Subscription) check() error {
	u, err := url.Parse(s.Endpoint)
	switch {
	case err != nil, len(s.Endpoint) > maxEndpoint, u.Scheme != "https", u.Host == "", u.User != nil, u.Fragment != "":
		return errEndpoint
	case !publicName(u.Hostname()):
		return errEndpoint
	}
	public, err := decode(s.Keys.P256dh)
	if err != nil {
		return errKeys
	}
	if _, err := ecdh.P256().NewPublicKey(public); err != nil {
		return errKeys
	}
	if secret, err := decode(s.Keys.Auth); err != nil || len(secret) != authSize {
		return errKeys
	}
	return nil
}

// decode decodes URL-safe Base64 with or without padding.
func decode(text string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
}

// publicName reports whether a host may be on the internet. A name that looks like it is
// checked again when it is resolved.
func publicName(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return public(ip)
	}
	return strings.Contains(strings.Trim(host, "."), ".")
}

// special are networks that [netip.Addr.IsGlobalUnicast] accepts, but which are not on the
// internet, or which lead to IPv4 addresses of any kind.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("::/96"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2001::/32"),
	netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("fec0::/10"),
}

// public reports whether an address is on the internet.
func public(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	for _, n := range special {
		if n.Contains(ip) {
			return false
		}
	}
	return true
}
