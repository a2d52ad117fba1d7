package serve_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/internal/app/serve"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type tokens map[string]string

func (t tokens) Find(token string) (string, bool) { name, ok := t[token]; return name, ok }

// echo answers initialize, and returns at EOF.
func echo(ctx context.Context, c *server.Conn) {
	defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
	for lines := bufio.NewScanner(c); lines.Scan(); {
		fmt.Fprintln(c, `{"jsonrpc":"2.0","id":1,"result":{"token":"`+c.Token+`"}}`)
	}
}

// run serves until the end of the test. It returns the URLs.
func run(t *testing.T, c serve.Config) []string {
	t.Helper()
	ready, done := make(chan []string, 1), make(chan error, 1)
	c.Log = slog.New(slog.DiscardHandler)
	c.Agent = func(name string) func(context.Context, *server.Conn) {
		if name != "" && name != "other" {
			return nil
		}
		return echo
	}
	c.Ready = func(urls []string) { ready <- urls }
	ctx, stop := context.WithCancel(context.Background())
	go func() { done <- c.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-done)
	})
	select {
	case urls := <-ready:
		return urls
	case err := <-done:
		done <- nil
		require.NoError(t, err)
		return nil
	}
}

// greet sends initialize, and returns the response.
func greet(t *testing.T, c client.Config) string {
	t.Helper()
	conn, err := client.Open(c)
	require.NoError(t, err)
	go func() { _, _ = io.WriteString(conn, `{"jsonrpc":"2.0","id":1,"method":"initialize"}`+"\n") }()
	line, err := bufio.NewReader(conn).ReadString('\n')
	_ = conn.Close()
	<-conn.Done()
	if err != nil {
		return conn.Err().Error()
	}
	return line
}

// Addresses that other machines can reach are served only with tokens and TLS, unless
// Insecure is set.
func TestOtherMachinesNeedTokensAndTLS(t *testing.T) {
	cert, key, _ := certificate(t, "localhost")
	for name, c := range map[string]struct {
		config serve.Config
		err    string
	}{
		"no address":             {serve.Config{}, "--listen"},
		"an address that is not": {serve.Config{Listen: "x"}, "--listen"},
		"all":                    {serve.Config{Listen: ":0"}, "--tls-cert"},
		"all by name":            {serve.Config{Listen: "0.0.0.0:0", Tokens: tokens{}}, "--tls-cert"},
		"all of version 6":       {serve.Config{Listen: "[::]:0", Tokens: tokens{}}, "--tls-cert"},
		"no tokens":              {serve.Config{Listen: ":0", TLSCert: cert, TLSKey: key}, "--auth none"},
		"half a certificate":     {serve.Config{Listen: "localhost:0", TLSCert: cert}, "must be used together"},
		"no certificate":         {serve.Config{Listen: "localhost:0", TLSCert: "none.pem", TLSKey: key}, "--tls-cert"},
		"another key":            {serve.Config{Listen: "localhost:0", TLSCert: cert, TLSKey: cert}, "--tls-cert"},
	} {
		t.Run(name, func(t *testing.T) {
			c.config.Log = slog.New(slog.DiscardHandler)
			require.ErrorContains(t, c.config.Run(t.Context()), c.err)
		})
	}
	require.True(t, serve.Loopback("localhost:1") && serve.Loopback("[::1]:1") && serve.Loopback("127.0.0.2:1"))
	require.False(t, serve.Loopback(":1") || serve.Loopback("0.0.0.0:1") || serve.Loopback("nonsense"))
	run(t, serve.Config{Listen: ":0", Insecure: true})
}

func TestLocalhostIsServedWithoutTokensAndTLS(t *testing.T) {
	urls := run(t, serve.Config{Listen: "localhost:0"})
	require.Len(t, urls, 2)
	require.Regexp(t, `^ws://localhost:\d+/acp$`, urls[0])
	require.Regexp(t, `^http://localhost:\d+/acp$`, urls[1])
	for _, url := range urls {
		require.Contains(t, greet(t, client.Config{URL: url}), "result")
	}
	require.Contains(t, greet(t, client.Config{URL: strings.TrimSuffix(urls[1], "acp")}), "404")
}

func TestTLSIsHTTP2AndItsCertificateIsRenewed(t *testing.T) {
	cert, key, pool := certificate(t, "agents.example", "localhost")
	urls := run(t, serve.Config{Listen: "localhost:0", TLSCert: cert, TLSKey: key, Tokens: tokens{"secret": "laptop"}})
	trusting := func(p *x509.CertPool) *tls.Config { return &tls.Config{RootCAs: p, MinVersion: tls.VersionTLS12} }
	header := http.Header{"Authorization": {"Bearer secret"}}
	for _, url := range urls {
		require.Contains(t, greet(t, client.Config{URL: url, Header: header, TLS: trusting(pool)}), "laptop")
		require.Contains(t, greet(t, client.Config{URL: url, TLS: trusting(pool)}), "401")
		require.Contains(t, greet(t, client.Config{URL: url, Header: header}), "certificate")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = trusting(pool)
	transport.ForceAttemptHTTP2 = true
	defer transport.CloseIdleConnections()
	// A name in the certificate is a valid host name of the server.
	for host, status := range map[string]int{"agents.example": 401, "evil.example": 403} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, urls[1], http.NoBody)
		require.NoError(t, err)
		r.Host = host
		a, err := transport.RoundTrip(r)
		require.NoError(t, err)
		_ = a.Body.Close()
		require.Equal(t, 2, a.ProtoMajor)
		require.Equal(t, status, a.StatusCode, host)
	}
	newCert, newKey, newPool := certificate(t, "localhost")
	later := time.Now().Add(time.Minute)
	for from, to := range map[string]string{newKey: key, newCert: cert} {
		text, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, text, 0o600))
		require.NoError(t, os.Chtimes(to, later, later))
	}
	require.Contains(t, greet(t, client.Config{URL: urls[1], Header: header, TLS: trusting(newPool)}), "laptop")
}

// certificate creates a self-signed certificate.
func certificate(t *testing.T, names ...string) (cert, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), DNSNames: names, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	require.NoError(t, err)
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	folder := t.TempDir()
	cert, key = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	require.NoError(t, os.WriteFile(cert, text, 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}), 0o600))
	pool = x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(text))
	return cert, key, pool
}
