package nats

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
	"github.com/turnwire/turnwire/internal/bridge/journal/storetest"
)

// An authority makes certificates for 127.0.0.1.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{t: t, dir: t.TempDir()}
	a.file, _ = a.make(name)
	return a
}

// make creates a certificate, and returns the files of it and of its key. The first
// one is the authority's.
func (a *authority) make(name string) (cert, key string) {
	a.t.Helper()
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(a.t, err)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		KeyUsage:    x509.KeyUsageDigitalSignature,
	}
	parent, by := a.cert, a.key
	if parent == nil {
		c.IsCA, c.BasicConstraintsValid, c.KeyUsage = true, true, x509.KeyUsageCertSign
		parent, by, a.key = c, pair, pair
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &pair.PublicKey, by)
	require.NoError(a.t, err)
	if a.cert == nil {
		a.cert, err = x509.ParseCertificate(der)
		require.NoError(a.t, err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(pair)
	require.NoError(a.t, err)
	cert, key = filepath.Join(a.dir, name+".pem"), filepath.Join(a.dir, name+".key")
	require.NoError(a.t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(a.t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	return cert, key
}

// keeps uses a store for a session.
func keeps(t *testing.T, cfg natsstore.Config) {
	t.Helper()
	s := openStore(t, cfg)
	j := oneRecord(t, s)
	s.Asked("a", "q", made("q", "none"))
	require.NoError(t, s.Answered("a", "q", made("q", "allow"))())
	require.NoError(t, j.Retitle("new", true))
	require.NoError(t, j.Close())
	require.Len(t, storetest.All(t, s, "a", 1), 1)
	page, err := s.List(journal.Filter{})
	require.NoError(t, err)
	require.Len(t, page.Sessions, 1)
	require.Equal(t, "new", page.Sessions[0].Title)
	j, err = s.Own("a")
	require.NoError(t, err)
	require.NoError(t, j.Close())
	require.NoError(t, s.Delete("a"))
}

func TestNATSIsReachedOverTLSWithACertificate(t *testing.T) {
	t.Parallel()
	ours, others := newAuthority(t, "ours"), newAuthority(t, "others")
	cert, key := ours.make("server")
	n := startNATS(t, func(o *server.Options) {
		config, err := server.GenTLSConfig(&server.TLSConfigOpts{CertFile: cert, KeyFile: key, CaFile: ours.file, Verify: true})
		require.NoError(t, err)
		o.TLS, o.TLSVerify, o.TLSConfig = true, true, config
	})
	cert, key = ours.make("client")
	keeps(t, natsstore.Config{URL: n.ClientURL(), CA: ours.file, Cert: cert, Key: key})
	foreignCert, foreignKey := others.make("client")
	for name, cfg := range map[string]natsstore.Config{
		"whom to trust is not said": {Cert: cert, Key: key},
		"another server is trusted": {CA: others.file, Cert: cert, Key: key},
		"no certificate":            {CA: ours.file},
		"another's certificate":     {CA: ours.file, Cert: foreignCert, Key: foreignKey},
		"no such file":              {CA: ours.file, Cert: "/nowhere/c.pem", Key: key},
	} {
		t.Run(name, func(t *testing.T) {
			cfg.URL = n.ClientURL()
			_, err := natsstore.Open(t.Context(), cfg)
			require.Error(t, err)
		})
	}
}

// An operator is a NATS operator with accounts, whose users have credentials.
type operator struct {
	t       *testing.T
	keys    nkeys.KeyPair
	claims  *jwt.OperatorClaims
	account nkeys.KeyPair
	system  string
	known   *server.MemAccResolver
}

func pair(t *testing.T, create func() (nkeys.KeyPair, error)) (keys nkeys.KeyPair, public string) {
	t.Helper()
	keys, err := create()
	require.NoError(t, err)
	public, err = keys.PublicKey()
	require.NoError(t, err)
	return keys, public
}

func newOperator(t *testing.T) *operator {
	t.Helper()
	o := &operator{t: t, known: &server.MemAccResolver{}}
	var public string
	o.keys, public = pair(t, nkeys.CreateOperator)
	text, err := jwt.NewOperatorClaims(public).Encode(o.keys)
	require.NoError(t, err)
	o.claims, err = jwt.DecodeOperatorClaims(text)
	require.NoError(t, err)
	_, o.system = o.add(false)
	o.account, _ = o.add(true)
	return o
}

// add adds an account.
func (o *operator) add(keeps bool) (keys nkeys.KeyPair, public string) {
	o.t.Helper()
	keys, public = pair(o.t, nkeys.CreateAccount)
	a := jwt.NewAccountClaims(public)
	if keeps {
		a.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
	}
	text, err := a.Encode(o.keys)
	require.NoError(o.t, err)
	require.NoError(o.t, o.known.Store(public, text))
	return keys, public
}

// user creates a credentials file for a user with these permissions.
func (o *operator) user(rights ...string) (creds string) {
	o.t.Helper()
	keys, public := pair(o.t, nkeys.CreateUser)
	u := jwt.NewUserClaims(public)
	u.Pub.Allow.Add(rights...)
	u.Sub.Allow.Add(rights...)
	text, err := u.Encode(o.account)
	require.NoError(o.t, err)
	seed, err := keys.Seed()
	require.NoError(o.t, err)
	file, err := jwt.FormatUserConfig(text, seed)
	require.NoError(o.t, err)
	creds = filepath.Join(o.t.TempDir(), "a.creds")
	require.NoError(o.t, os.WriteFile(creds, file, 0o600))
	return creds
}

// The permissions are those listed in docs/many-machines.md.
func TestNATSWorksWithCredentialsAndListedPermissions(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	n := startNATS(t, func(s *server.Options) {
		s.TrustedOperators, s.AccountResolver, s.SystemAccount = []*jwt.OperatorClaims{o.claims}, o.known, o.system
	})
	rights := []string{"turnwire.>", "$JS.API.>", "$KV.turnwire-owners.>", "$KV.turnwire-questions.>", "_INBOX.>"}
	good := natsstore.Config{URL: n.ClientURL(), Creds: o.user(rights...)}
	keeps(t, good)
	near, far := tunnelsOf(t, good)
	_, err := near.Write([]byte("hello"))
	require.NoError(t, err)
	text := make([]byte, 5)
	_, err = far.Read(text)
	require.NoError(t, err)
	require.Equal(t, "hello", string(text))

	_, err = natsstore.Open(t.Context(), natsstore.Config{URL: n.ClientURL()})
	require.ErrorContains(t, err, "Authorization Violation")
	_, err = natsstore.Open(t.Context(), natsstore.Config{URL: n.ClientURL(), Creds: newOperator(t).user(rights...)})
	require.ErrorContains(t, err, "Authorization Violation")
	opened := make(chan error)
	for i := range rights[:4] { // NATS doesn't answer, so each attempt takes time
		creds := o.user(append(append([]string{}, rights[:i]...), rights[i+1:]...)...)
		go func() {
			_, err := natsstore.Open(t.Context(), natsstore.Config{URL: n.ClientURL(), Creds: creds})
			opened <- err
		}()
	}
	for range rights[:4] {
		require.Error(t, <-opened)
	}
}
