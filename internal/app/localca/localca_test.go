package localca_test

import (
	"crypto/tls"
	"crypto/x509"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/localca"
)

var quiet = slog.New(slog.DiscardHandler)

func open(t *testing.T, folder string) *localca.Authority {
	t.Helper()
	a, err := localca.Open(folder, "Build")
	require.NoError(t, err)
	return a
}

func at(addresses ...string) func() (all []netip.Addr) {
	return func() (all []netip.Addr) {
		for _, a := range addresses {
			all = append(all, netip.MustParseAddr(a))
		}
		return all
	}
}

// verify verifies a certificate as a device does that trusts the authority.
func verify(a *localca.Authority, c *tls.Certificate, host string) error {
	root, err := x509.ParseCertificate(a.Certificate())
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AddCert(root)
	_, err = c.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: host, CurrentTime: time.Now()})
	return err
}

func TestACertificateIsValidForTheMachine(t *testing.T) {
	a := open(t, t.TempDir())
	s, err := a.Server([]string{"Build", "build.local", "chat.lan", "example.org", "bad name"}, at("192.168.1.5", "fd00::7", "100.100.1.2"), quiet)
	require.NoError(t, err)
	for _, host := range []string{"localhost", "build", "build.local", "chat.lan", "127.0.0.1", "::1", "192.168.1.5", "fd00::7", "100.100.1.2"} {
		require.NoError(t, verify(a, s.Current(), host), host)
	}
	for _, host := range []string{"example.org", "192.168.1.6", "other.lan"} {
		require.Error(t, verify(a, s.Current(), host), host)
	}
}

// What the authority signs for a public name or address is worthless to others.
func TestThePublicInternetIsOutOfReach(t *testing.T) {
	a := open(t, t.TempDir())
	for _, host := range []string{"example.org", "build.example.org", "notlocal", "8.8.8.8", "192.0.2.1", "2001:db8::1", "172.32.0.1", ""} {
		require.False(t, a.Permits(host), host)
	}
	for _, host := range []string{"build", "BUILD", "x.build", "a.local", "home.arpa", "router.lan", "172.31.0.1", "::ffff:10.0.0.1"} {
		require.True(t, a.Permits(host), host)
	}
	s, err := a.Server([]string{"example.org"}, at("8.8.8.8"), quiet)
	require.NoError(t, err)
	require.Error(t, s.Current().Leaf.VerifyHostname("8.8.8.8"))

	root, err := x509.ParseCertificate(a.Certificate())
	require.NoError(t, err)
	require.True(t, root.PermittedDNSDomainsCritical)
	require.Len(t, root.PermittedIPRanges, 9)
	require.Contains(t, root.PermittedDNSDomains, "build")
	require.NotContains(t, root.PermittedDNSDomains, "")
}

func TestAnAuthorityIsKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "tls")
	var work sync.WaitGroup
	prints := make([]string, 8)
	for i := range prints { // several servers may start at once
		work.Go(func() {
			if a, err := localca.Open(folder, "build"); err == nil {
				prints[i] = a.Fingerprint()
			}
		})
	}
	work.Wait()
	for _, p := range prints {
		require.Regexp(t, `^([0-9A-F]{2}:){31}[0-9A-F]{2}$`, p)
		require.Equal(t, prints[0], p)
	}
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, 1)
	if runtime.GOOS != "windows" {
		info, err := files[0].Info()
		require.NoError(t, err)
		require.Equal(t, fs.FileMode(0o600), info.Mode())
	}
}

func TestADamagedAuthorityIsReported(t *testing.T) {
	folder := t.TempDir()
	open(t, folder)
	file := filepath.Join(folder, "ca.pem")
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	other := t.TempDir()
	open(t, other)
	foreign, err := os.ReadFile(filepath.Join(other, "ca.pem"))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"empty": "", "no key": string(whole[:len(whole)/2]), "nonsense": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
		"another key": string(whole[:len(whole)-300]) + string(foreign[len(foreign)-300:]),
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, err := localca.Open(folder, "build")
		require.ErrorContains(t, err, file, name)
		require.ErrorContains(t, err, "delete the file to create another one", name)
	}
}

func TestACertificateIsRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		a := open(t, folder)
		addresses := []string{"10.0.0.1"}
		s, err := a.Server(nil, func() []netip.Addr { return at(addresses...)() }, quiet)
		require.NoError(t, err)
		first := s.Current()
		time.Sleep(59 * 24 * time.Hour)
		require.Same(t, first, s.Current())
		time.Sleep(2 * 24 * time.Hour)
		second := s.Current()
		require.NotSame(t, first, second)
		require.NoError(t, verify(a, second, "10.0.0.1"))

		addresses = []string{"10.0.0.2"} // it joined another network
		time.Sleep(time.Hour)
		require.NoError(t, verify(a, s.Current(), "10.0.0.2"))

		time.Sleep(10 * 365 * 24 * time.Hour)
		_, err = localca.Open(folder, "build")
		require.ErrorContains(t, err, "expires soon")
	})
}

func TestTheTrustPage(t *testing.T) {
	a := open(t, t.TempDir())
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return w
	}
	r := get("/trust")
	require.Equal(t, http.StatusOK, r.Code)
	require.Contains(t, r.Header().Get("Content-Security-Policy"), "default-src 'none'")
	require.Contains(t, r.Body.String(), a.Fingerprint())
	r = get("/trust/turnwire-ca.crt")
	require.Equal(t, "application/x-x509-ca-cert", r.Header().Get("Content-Type"))
	require.Equal(t, a.Certificate(), r.Body.Bytes())
	require.Equal(t, http.StatusNotFound, get("/trust/ca.pem").Code)
}
