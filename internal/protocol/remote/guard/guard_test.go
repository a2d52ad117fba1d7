package guard_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

type tokens map[string]string

func (t tokens) Find(token string) (string, bool) { name, ok := t[token]; return name, ok }

// serve sends a request through a guard, and returns the response.
func serve(g *guard.Guard, method, host string, headers ...string) *httptest.ResponseRecorder {
	g.Log = slog.New(slog.DiscardHandler)
	r := httptest.NewRequest(method, "http://x/acp", http.NoBody)
	r.Host = host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("in as " + guard.CallerOf(r.Context()).Token))
	})).ServeHTTP(w, r)
	return w
}

// A host name that was redirected to this machine is not one of this server's names.
func TestOnlyTheServersHostNamesAreServed(t *testing.T) {
	g := &guard.Guard{Hosts: []string{"", "Own.example"}, HasName: func(h string) bool { return h == "in.certificate" }}
	for host, status := range map[string]int{
		"localhost": 200, "LOCALHOST:80": 200, "127.0.0.1:7777": 200, "[::1]:7777": 200, "10.1.2.3": 200, "own.example:1": 200, "own.example.": 200,
		"in.certificate": 200,
		"":               403, "evil.example": 403, "localhost.evil.example": 403, "127.0.0.1.evil.example:7777": 403, ":80": 403, "[::1": 200, "0x7f000001": 403,
	} {
		require.Equal(t, status, serve(g, http.MethodGet, host).Code, host)
	}
}

func TestForeignPagesAreRefused(t *testing.T) {
	g := &guard.Guard{Origins: []string{"https://app.example"}, Hosts: []string{"own.example"}}
	for origin, status := range map[string]int{
		"http://localhost:7777": 200, "https://localhost:7777": 200, "https://app.example": 200, "HTTPS://APP.example": 200,
		"http://localhost:8888": 403, "http://localhost": 403, "https://app.example:8443": 403, "http://app.example": 403, "null": 403,
		"https://evil.example": 403, "file://": 403, "://": 403, "ftp://localhost:7777": 403, "https://app.example.evil": 403,
	} {
		w := serve(g, http.MethodPost, "localhost:7777", "Origin", origin)
		require.Equal(t, status, w.Code, origin)
		if status == 200 {
			require.Equal(t, origin, w.Header().Get("Access-Control-Allow-Origin"))
			require.Equal(t, "Origin", w.Header().Get("Vary"))
		} else {
			require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
		}
	}
}

// A browser sends a preflight request before it sends a token.
func TestPreflightRequestsAreAnswered(t *testing.T) {
	g := &guard.Guard{Origins: []string{"https://app.example"}, Tokens: tokens{}}
	asks := []string{"Access-Control-Request-Method", "POST", "Origin"}
	w := serve(g, http.MethodOptions, "localhost", append(asks, "https://app.example")...)
	require.Equal(t, http.StatusNoContent, w.Code)
	require.Contains(t, w.Header().Get("Access-Control-Allow-Headers"), "Authorization")
	require.Contains(t, w.Header().Get("Access-Control-Expose-Headers"), "Acp-Connection-Id")
	require.Equal(t, http.StatusForbidden, serve(g, http.MethodOptions, "localhost", append(asks, "https://evil.example")...).Code)
	require.Equal(t, http.StatusUnauthorized, serve(g, http.MethodOptions, "localhost").Code)
}

func TestATokenIsRequired(t *testing.T) {
	g := &guard.Guard{Tokens: tokens{"secret": "laptop"}}
	for given, status := range map[string]int{
		"Bearer secret": 200, "bearer  secret ": 200,
		"": 401, "Bearer": 401, "Bearer other": 401, "Basic secret": 401, "secret": 401, "Bearer secret secret": 401,
	} {
		w := serve(g, http.MethodGet, "localhost", "Authorization", given)
		require.Equal(t, status, w.Code, given)
		if status == 401 {
			require.Contains(t, w.Header().Get("WWW-Authenticate"), "Bearer")
			require.NotContains(t, w.Body.String(), "other")
		} else {
			require.Equal(t, "in as laptop", w.Body.String())
		}
	}
	g.Query = "tkn"
	for query, status := range map[string]int{"tkn=secret": 200, "tkn=other": 401, "tkn=": 401, "token=secret": 401} {
		r := httptest.NewRequest(http.MethodGet, "http://localhost/ahp?"+query, http.NoBody)
		w := httptest.NewRecorder()
		g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })).ServeHTTP(w, r)
		require.Equal(t, status, w.Code, query)
	}
	require.Equal(t, "in as ", serve(new(guard.Guard), http.MethodGet, "localhost").Body.String())
}
