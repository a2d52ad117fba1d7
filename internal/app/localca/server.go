package localca

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"
)

const (
	// serverLife is how long a server's certificate is valid. It is renewed when less than
	// renewal remains.
	serverLife = 90 * 24 * time.Hour
	renewal    = 30 * 24 * time.Hour
	// checkInterval is how often the addresses are checked while clients connect.
	checkInterval = time.Minute
)

// A Server is the current certificate of a server.
type Server struct {
	authority *Authority
	names     []string
	addresses func() []netip.Addr
	log       *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	checked time.Time
}

// Server returns the certificate of a server with names, of which those that are not
// permitted are left out. addresses returns the machine's current addresses.
func (a *Authority) Server(names []string, addresses func() []netip.Addr, log *slog.Logger) (*Server, error) {
	s := &Server{authority: a, addresses: addresses, log: log}
	for _, name := range append([]string{"localhost"}, names...) {
		if name = clean(name); name != "" && a.Permits(name) {
			s.names = append(s.names, name)
		}
	}
	return s, s.renew(addresses())
}

// Current returns the current certificate. It renews it if that is due.
func (s *Server) Current() *tls.Certificate {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.checked) < checkInterval {
		return s.current
	}
	s.checked = time.Now()
	addresses := s.addresses()
	if time.Until(s.current.Leaf.NotAfter) > renewal && s.covers(addresses) {
		return s.current
	}
	if err := s.renew(addresses); err != nil {
		s.log.Error("the certificate was not renewed", "error", err)
	}
	return s.current
}

// covers reports whether the certificate is valid for all addresses.
func (s *Server) covers(addresses []netip.Addr) bool {
	for _, a := range addresses {
		if s.current.Leaf.VerifyHostname(a.String()) != nil {
			return false
		}
	}
	return true
}

// renew issues another certificate. The caller holds the lock, unless s is not shared yet.
func (s *Server) renew(addresses []netip.Addr) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := newSerial()
	if err != nil {
		return err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Turnwire"},
		NotBefore: now.Add(-early), NotAfter: now.Add(serverLife),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true, DNSNames: s.names,
	}
	for _, ip := range append([]netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.IPv6Loopback()}, addresses...) {
		if private(ip) {
			template.IPAddresses = append(template.IPAddresses, net.IP(ip.Unmap().AsSlice()))
		}
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, s.authority.cert, key.Public(), s.authority.key)
	if err != nil {
		return err
	}
	leaf, err := x509.ParseCertificate(raw)
	if err != nil {
		return err
	}
	s.current = &tls.Certificate{Certificate: [][]byte{raw, s.authority.cert.Raw}, PrivateKey: key, Leaf: leaf}
	s.checked = now
	s.log.Info("issued a certificate", "names", leaf.DNSNames, "addresses", leaf.IPAddresses, "until", leaf.NotAfter)
	return nil
}
