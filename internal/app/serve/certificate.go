package serve

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// A Certificate is the server's current certificate. Its methods are called by several
// goroutines.
type Certificate interface {
	Current() *tls.Certificate
}

// A certificate is reloaded when its file changes, because certificates are renewed while
// the server runs.
type certificate struct {
	cert, key string
	log       *slog.Logger

	mu      sync.Mutex
	changed time.Time
	loaded  *tls.Certificate
}

func loadCertificate(cert, key string, log *slog.Logger) (*certificate, error) {
	c := &certificate{cert: cert, key: key, log: log}
	if err := c.load(); err != nil {
		return nil, fmt.Errorf("--tls-cert: %w", err)
	}
	return c, nil
}

// load reads the files if they changed. The caller holds the lock, unless c is not shared
// yet.
func (c *certificate) load() error {
	info, err := os.Stat(c.cert)
	if err != nil {
		return err
	}
	if c.loaded != nil && info.ModTime().Equal(c.changed) {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	c.loaded, c.changed = &pair, info.ModTime()
	return nil
}

// Current returns the current certificate, or the last one that could be read.
func (c *certificate) Current() *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(); err != nil {
		c.log.Warn("the new certificate cannot be read; using the old one", "error", err)
	}
	return c.loaded
}

func tlsConfig(c Certificate) *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.Current(), nil },
	}
}

// hasName returns a function that reports whether a certificate is valid for a host.
func hasName(c Certificate) func(host string) bool {
	return func(host string) bool {
		leaf := c.Current().Leaf
		return leaf != nil && leaf.VerifyHostname(host) == nil
	}
}
