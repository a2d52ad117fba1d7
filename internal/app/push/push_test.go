package push_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/push"
	"github.com/turnwire/turnwire/internal/app/push/pushtest"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

// owners are the fingerprints of tokens, by name.
type owners map[string]string

func (o owners) Fingerprint(name string) string { return o[name] }

// Find implements [guard.Tokens]. A token's text is its name.
func (o owners) Find(token string) (string, bool) { return token, o[token] != "" }

// A scene is a store and the push services that its messages reach.
type scene struct {
	*push.Store
	*pushtest.Service

	folder string
	owners owners
}

func newScene(t *testing.T) *scene {
	s := &scene{Service: &pushtest.Service{T: t}, folder: t.TempDir(), owners: owners{"phone": "1", "laptop": "2"}}
	s.reopen(false)
	s.Service.Key = s.Store.Key()
	return s
}

func (s *scene) reopen(open bool) {
	store, err := push.Open(s.folder, s.owners, open, slog.New(slog.DiscardHandler))
	require.NoError(s.T, err)
	s.Store = store
}

// post sends a request of a page that is logged in with a token.
func (s *scene) post(token string, body any) (status int, text string) {
	raw, err := json.Marshal(body)
	require.NoError(s.T, err)
	r := httptest.NewRequestWithContext(s.T.Context(), http.MethodPost, "http://localhost/page/push", strings.NewReader(string(raw)))
	g := &guard.Guard{Log: slog.New(slog.DiscardHandler)}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
		g.Tokens = s.owners
	}
	w := httptest.NewRecorder()
	g.Wrap(s.Store).ServeHTTP(w, r)
	return w.Code, strings.TrimSpace(w.Body.String())
}

// subscribe adds a browser with an endpoint at a host.
func (s *scene) subscribe(token, host string) *pushtest.Browser {
	b := pushtest.NewBrowser(s.T, "https://"+host+"/send/secret-of-"+host)
	s.Browsers = append([]*pushtest.Browser{b}, s.Browsers...)
	status, text := s.post(token, map[string]any{"subscribe": b.Subscription()})
	require.Equal(s.T, http.StatusNoContent, status, text)
	return b
}

// send sends a message to everybody.
func (s *scene) send(text string) (errs []error) {
	for _, to := range s.Targets(&http.Client{Transport: s.Service}) {
		errs = append(errs, to.Send(s.T.Context(), push.Message{Text: []byte(text), Session: "my-session", Urgent: true}))
	}
	return errs
}

func TestOnlyTheBrowserCanReadAMessage(t *testing.T) {
	s := newScene(t)
	s.subscribe("phone", "push.example.com")
	require.Equal(t, []error{nil}, s.send(`{"title":"Tea"}`))
	all := s.Take()
	require.Len(t, all, 1)
	require.JSONEq(t, `{"title":"Tea"}`, all[0].Text)
	h := all[0].Header
	require.Equal(t, []string{"aes128gcm", "high", "86400"}, []string{h.Get("Content-Encoding"), h.Get("Urgency"), h.Get("TTL")})
	require.Regexp(t, `^[\w-]{32}$`, h.Get("Topic"))
	require.NotContains(t, fmt.Sprint(h), "my-session")
}

func TestTheKeyAndTheSubscriptionsAreKeptPrivately(t *testing.T) {
	s := newScene(t)
	s.subscribe("phone", "push.example.com")
	key := s.Store.Key()
	s.reopen(false)
	require.Equal(t, key, s.Store.Key())
	s.send("Tea")
	require.Equal(t, []string{"push.example.com Tea"}, s.Texts())
	if runtime.GOOS != "windows" {
		info, err := os.Stat(filepath.Join(s.folder, "push.json"))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
}

func TestASubscriptionEndsWithItsToken(t *testing.T) {
	s := newScene(t)
	s.subscribe("phone", "phone.example.com")
	s.subscribe("laptop", "laptop.example.com")
	before := s.Targets(&http.Client{Transport: s.Service})
	s.owners["phone"] = "3" // revoked, and another one made by the same name
	require.ErrorIs(t, before[0].Send(t.Context(), push.Message{Text: []byte("Late")}), push.ErrRefused)
	s.send("Tea")
	require.Equal(t, []string{"laptop.example.com Tea"}, s.Texts())
	text, err := os.ReadFile(filepath.Join(s.folder, "push.json"))
	require.NoError(t, err)
	require.NotContains(t, string(text), "phone.example.com")

	require.NoError(t, push.Revoke(s.folder, "laptop"))
	require.False(t, s.Any())
	require.Empty(t, s.send("Tea"))
	require.NoError(t, push.Revoke(t.TempDir(), "laptop"))
}

func TestASubscriptionWithoutATokenNeedsAServerWithoutTokens(t *testing.T) {
	s := newScene(t)
	s.reopen(true)
	s.subscribe("", "push.example.com")
	require.True(t, s.Any())
	s.reopen(false)
	require.False(t, s.Any())
	status, _ := s.post("", map[string]any{"subscribe": pushtest.NewBrowser(t, "https://push.example.com/2").Subscription()})
	require.Equal(t, http.StatusForbidden, status)
}

func TestAPushServiceEndsASubscription(t *testing.T) {
	for _, status := range []int{http.StatusNotFound, http.StatusGone} {
		s := newScene(t)
		s.subscribe("phone", "gone.example.com")
		s.subscribe("phone", "push.example.com")
		s.Status = func(host string) int {
			if host == "gone.example.com" {
				return status
			}
			return http.StatusCreated
		}
		errs := s.send("Tea")
		require.ErrorIs(t, errs[0], push.ErrRefused)
		require.NoError(t, errs[1])
		s.Texts()
		require.Equal(t, []error{nil}, s.send("Tea"))
		require.Equal(t, []string{"push.example.com Tea"}, s.Texts())
	}
}

func TestErrorsSayWhetherToTryAgain(t *testing.T) {
	s := newScene(t)
	s.subscribe("phone", "push.example.com")
	for status, again := range map[int]bool{500: true, 503: true, 429: true, 400: false, 403: false, 413: false, 302: false} {
		s.Status = func(string) int { return status }
		err := s.send("Tea")[0]
		require.Error(t, err)
		require.Equal(t, again, !strings.Contains(err.Error(), push.ErrRefused.Error()), err)
		require.NotContains(t, err.Error(), "secret-of")
	}
	require.True(t, s.Any())
}

func TestAPageUnsubscribes(t *testing.T) {
	s := newScene(t)
	b := s.subscribe("phone", "push.example.com")
	status, _ := s.post("laptop", map[string]any{"unsubscribe": b.Endpoint})
	require.Equal(t, http.StatusNoContent, status)
	require.True(t, s.Any(), "another token's page")
	status, _ = s.post("phone", map[string]any{"unsubscribe": b.Endpoint})
	require.Equal(t, http.StatusNoContent, status)
	require.False(t, s.Any())
}

func TestTheNumberOfSubscriptionsIsLimited(t *testing.T) {
	s := newScene(t)
	for n := range 10 {
		s.subscribe("phone", fmt.Sprintf("p%d.example.com", n))
		s.subscribe("phone", fmt.Sprintf("p%d.example.com", n)) // again, with other keys
	}
	s.subscribe("laptop", "laptop.example.com")
	require.Len(t, s.send("Tea"), 9)
	for _, text := range s.Texts() {
		require.NotContains(t, []string{"p0.example.com Tea", "p1.example.com Tea"}, text, "the oldest were replaced")
	}
	status := 0
	for n := range 200 {
		s.owners[strconv.Itoa(n)] = "f" + strconv.Itoa(n)
		status, _ = s.post(strconv.Itoa(n), map[string]any{"subscribe": pushtest.NewBrowser(t, fmt.Sprintf("https://push.example.com/%d", n)).Subscription()})
	}
	require.Equal(t, http.StatusConflict, status)
	require.Len(t, s.Targets(nil), 128)
}

func TestHostileSubscriptionsAreRefused(t *testing.T) {
	s := newScene(t)
	good := func(endpoint string) push.Subscription { return pushtest.NewBrowser(t, endpoint).Subscription() }
	var all []any
	for _, endpoint := range []string{
		"", "http://push.example.com/", "https://", "https:///x", "ftp://push.example.com/", "//push.example.com", "https://user:pass@push.example.com/",
		"https://localhost/", "https://intranet/", "https://127.0.0.1/", "https://10.0.0.1/", "https://192.168.1.1:8443/", "https://172.16.0.1/",
		"https://169.254.169.254/latest", "https://100.100.1.1/", "https://0.0.0.0/", "https://255.255.255.255/", "https://224.0.0.1/", "https://[::1]/",
		"https://[fe80::1]/", "https://[fd00::1]/", "https://[::ffff:10.0.0.1]/", "https://[64:ff9b::a00:1]/", "https://[2002:a00:1::]/",
		"https://push.example.com/" + strings.Repeat("x", 3000), "https://push.example.com/\n",
	} {
		all = append(all, map[string]any{"subscribe": good(endpoint)})
	}
	point := good("https://push.example.com/")
	point.Keys.P256dh = pushtest.Encode(append([]byte{4}, make([]byte, 64)...))
	short := good("https://push.example.com/")
	short.Keys.Auth = "AAAA"
	text := good("https://push.example.com/")
	text.Keys.P256dh = "<script>"
	all = append(all, map[string]any{"subscribe": point}, map[string]any{"subscribe": short}, map[string]any{"subscribe": text},
		map[string]any{}, []int{1}, map[string]any{"subscribe": good("https://push.example.com/"), "unsubscribe": "x"}, map[string]any{"subscribe": nil})
	for _, body := range all {
		status, text := s.post("phone", body)
		require.Equal(t, http.StatusBadRequest, status, "%v: %s", body, text)
	}
	status, _ := s.post("phone", strings.Repeat("x", 9000))
	require.Equal(t, http.StatusRequestEntityTooLarge, status)
	status, _ = s.post("stranger", all[0])
	require.Equal(t, http.StatusUnauthorized, status)
	require.False(t, s.Any())
}

func TestADamagedFileIsAnError(t *testing.T) {
	for _, text := range []string{"{", `{"privateKey": "x", "publicKey": ""}`} {
		folder := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(folder, "push.json"), []byte(text), 0o600))
		_, err := push.Open(folder, owners{}, true, slog.New(slog.DiscardHandler))
		require.ErrorContains(t, err, "damaged")
	}
}

// Its endpoint is public by its name, but not by its address.
func TestNothingIsSentToAPrivateAddress(t *testing.T) {
	reached := false
	inside := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer inside.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, at := range []string{inside.URL, strings.Replace(inside.URL, "127.0.0.1", "localhost", 1)} {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, at, nil)
		require.NoError(t, err)
		_, err = push.NewClient().Do(r) //nolint:bodyclose // it fails
		require.ErrorContains(t, err, "must be an https address on the internet")
	}
	require.False(t, reached)
}
