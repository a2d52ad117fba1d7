package localca

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// fileName is the file with the authority's certificate and key.
	fileName = "ca.pem"
	// authorityLife is how long an authority is valid. Devices must trust a new one again.
	authorityLife = 10 * 365 * 24 * time.Hour
	// early is how far in the past a certificate's validity begins, for devices whose clock
	// is slow.
	early = 24 * time.Hour

	pemCertificate = "CERTIFICATE"
	pemKey         = "PRIVATE KEY"
)

// An Authority issues certificates for servers.
type Authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// Open returns the authority in a folder, or creates it. A new authority may also certify
// the name host, in addition to those that every authority may certify.
func Open(folder, host string) (*Authority, error) {
	file := filepath.Join(folder, fileName)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if err = create(file, host); err == nil {
			text, err = os.ReadFile(file)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the local certificate authority: %w", err)
	}
	a, err := parse(text)
	if err == nil && time.Until(a.cert.NotAfter) < serverLife {
		err = errors.New("it expires soon")
	}
	if err != nil {
		return nil, fmt.Errorf("the local certificate authority in %s: %w; delete the file to create another one", file, err)
	}
	return a, nil
}

// create creates a file with a new authority. It changes nothing if another process has
// created it meanwhile.
func create(file, host string) error {
	text, err := newAuthority(host)
	if err != nil {
		return err
	}
	folder := filepath.Dir(file)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, "new-*") // only its owner can read it
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // it is a second name of the file
	_, err = f.Write(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// newAuthority returns the certificate and the key of a new authority.
func newAuthority(host string) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: strings.TrimSpace("Turnwire on " + host), Organization: []string{"Turnwire local certificates"}},
		NotBefore:    now.Add(-early), NotAfter: now.Add(authorityLife),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
		KeyUsage:                    x509.KeyUsageCertSign,
		PermittedDNSDomainsCritical: true, PermittedDNSDomains: permittedNames(host), PermittedIPRanges: permittedRanges(),
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return append(
		pem.EncodeToMemory(&pem.Block{Type: pemCertificate, Bytes: cert}),
		pem.EncodeToMemory(&pem.Block{Type: pemKey, Bytes: secret})...,
	), nil
}

func newSerial() (*big.Int, error) {
	return rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
}

func parse(text []byte) (*Authority, error) {
	var a Authority
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			break
		}
		text = rest
		var err error
		switch block.Type {
		case pemCertificate:
			a.cert, err = x509.ParseCertificate(block.Bytes)
		case pemKey:
			var key any
			if key, err = x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
				a.key, _ = key.(*ecdsa.PrivateKey)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if a.cert == nil || a.key == nil || !a.cert.IsCA || !a.key.PublicKey.Equal(a.cert.PublicKey) {
		return nil, errors.New("it is damaged")
	}
	return &a, nil
}

// Certificate returns the authority's certificate in DER form.
func (a *Authority) Certificate() []byte { return a.cert.Raw }

// Fingerprint returns the SHA-256 fingerprint of the authority's certificate, as devices
// show it.
func (a *Authority) Fingerprint() string {
	sum := sha256.Sum256(a.cert.Raw)
	var text strings.Builder
	for i, b := range sum {
		if i > 0 {
			text.WriteByte(':')
		}
		fmt.Fprintf(&text, "%02X", b)
	}
	return text.String()
}
