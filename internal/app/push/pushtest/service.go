// Package pushtest plays browsers and their push services. It reads messages as RFC 8291
// says, and authenticates servers as RFC 8292 says, without the library under test.
package pushtest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"io"
	"math/big"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/push"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// A Browser has a subscription, and can read what is sent to it.
type Browser struct {
	Endpoint string
	key      *ecdh.PrivateKey
	secret   []byte
}

// NewBrowser returns a browser with an endpoint.
func NewBrowser(t *testing.T, endpoint string) *Browser {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	require.NoError(t, err)
	secret := make([]byte, 16)
	_, _ = rand.Read(secret)
	return &Browser{endpoint, key, secret}
}

// Encode returns URL-safe Base64.
func Encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

func decode(t *testing.T, text string) []byte {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	require.NoError(t, err)
	return raw
}

// Subscription returns what the browser gives to its page.
func (b *Browser) Subscription() (s push.Subscription) {
	s.Endpoint, s.Keys.P256dh, s.Keys.Auth = b.Endpoint, Encode(b.key.PublicKey().Bytes()), Encode(b.secret)
	return s
}

// read decrypts a message as RFC 8291 says.
func (b *Browser) read(t *testing.T, body []byte) string {
	require.GreaterOrEqual(t, len(body), 86)
	require.LessOrEqual(t, len(body), 4096)
	salt, size, keySize := body[:16], binary.BigEndian.Uint32(body[16:20]), int(body[20])
	sender, ciphertext := body[21:21+keySize], body[21+keySize:]
	require.LessOrEqual(t, len(ciphertext), int(size), "one record")
	public, err := ecdh.P256().NewPublicKey(sender)
	require.NoError(t, err)
	shared, err := b.key.ECDH(public)
	require.NoError(t, err)
	derive := func(secret, salt []byte, info string, length int) []byte {
		key, err := hkdf.Key(sha256.New, secret, salt, info, length)
		require.NoError(t, err)
		return key
	}
	ikm := derive(shared, b.secret, "WebPush: info\x00"+string(b.key.PublicKey().Bytes())+string(sender), 32)
	block, err := aes.NewCipher(derive(ikm, salt, "Content-Encoding: aes128gcm\x00", 16))
	require.NoError(t, err)
	gcm, err := cipher.NewGCM(block)
	require.NoError(t, err)
	text, err := gcm.Open(nil, derive(ikm, salt, "Content-Encoding: nonce\x00", 12), ciphertext, nil)
	require.NoError(t, err)
	text = []byte(strings.TrimRight(string(text), "\x00"))
	require.EqualValues(t, 2, text[len(text)-1], "the last record")
	return string(text[:len(text)-1])
}

// A Received is a message that a service received for a browser.
type Received struct {
	Host, Text string
	Header     http.Header
}

// A Service plays all push services. It accepts only messages from the owner of a key.
type Service struct {
	T        *testing.T
	Browsers []*Browser            // of equal ones, the first counts
	Key      string                // the server's public key
	Status   func(host string) int // nil means 201

	mu  sync.Mutex
	all []Received
}

// RoundTrip implements [http.RoundTripper].
func (s *Service) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	require.NoError(s.T, err)
	status := http.StatusCreated
	if s.Status != nil {
		status = s.Status(r.URL.Host)
	}
	for _, b := range s.Browsers {
		if b.Endpoint == r.URL.String() {
			s.authenticate(r)
			s.mu.Lock()
			s.all = append(s.all, Received{r.URL.Host, b.read(s.T, body), r.Header})
			s.mu.Unlock()
			break
		}
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}

// authenticate checks the signature of the server, as RFC 8292 says.
func (s *Service) authenticate(r *http.Request) {
	scheme, rest, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	require.Equal(s.T, "vapid", scheme)
	token, key, _ := strings.Cut(strings.TrimPrefix(rest, "t="), ", k=")
	require.Equal(s.T, s.Key, key)
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), decode(s.T, key))
	require.NoError(s.T, err)
	parts := strings.Split(token, ".")
	require.Len(s.T, parts, 3)
	require.JSONEq(s.T, `{"alg": "ES256", "typ": "JWT"}`, string(decode(s.T, parts[0])))
	digest, signature := sha256.Sum256([]byte(parts[0]+"."+parts[1])), decode(s.T, parts[2])
	require.Len(s.T, signature, 64)
	require.True(s.T, ecdsa.Verify(public, digest[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])))
	var claims struct {
		Audience string `json:"aud"`
		Subject  string `json:"sub"`
		Expires  int64  `json:"exp"`
	}
	require.NoError(s.T, exactjson.Unmarshal(decode(s.T, parts[1]), &claims))
	require.Equal(s.T, "https://"+r.URL.Host, claims.Audience)
	require.Equal(s.T, "https://github.com/turnwire/turnwire", claims.Subject)
	require.Greater(s.T, claims.Expires, time.Now().Unix())
	require.LessOrEqual(s.T, claims.Expires, time.Now().Add(24*time.Hour).Unix())
}

// Take returns the messages since the last call.
func (s *Service) Take() []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.all
	s.all = nil
	return all
}

// Texts returns the messages since the last call, each with the host it was sent to.
func (s *Service) Texts() (all []string) {
	for _, one := range s.Take() {
		all = append(all, one.Host+" "+one.Text)
	}
	return all
}
