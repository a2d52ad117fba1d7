package page_test

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/page"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

type tokens map[string]string

func (t tokens) Find(token string) (string, bool) { name, ok := t[token]; return name, ok }

// site returns the page as a server has it: the open part, and the part behind a guard.
func site(t *testing.T, known tokens, once func(string) (string, bool)) http.Handler {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	c := page.Config{Once: once, State: func(string) page.State { return page.State{Folder: "/secret"} }, Log: log}
	g := &guard.Guard{Hosts: []string{"own.example"}, Origins: []string{"https://app.example"}, Log: log}
	if known != nil {
		c.Tokens, g.Tokens = known, known
	}
	open, err := c.Open()
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle(page.StatePath, g.Wrap(c.Private()))
	mux.Handle("/", g.WrapOpen(open))
	return mux
}

// send sends a request to own.example:7777. headers are alternating names and values.
func send(h http.Handler, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "own.example:7777"
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const (
	ownOrigin = "http://own.example:7777"
	tlsOrigin = "https://own.example:7777"
)

func logIn(h http.Handler, body string, headers ...string) *httptest.ResponseRecorder {
	return send(h, http.MethodPost, "/login", body, append([]string{"Origin", ownOrigin, "Content-Type", "application/json"}, headers...)...)
}

// The page can load from and be embedded by nothing but its server, and contains no
// secret.
func TestThePageIsServedToEverybodyWithItsPolicy(t *testing.T) {
	h := site(t, tokens{}, nil)
	for path, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/page/page.js": "text/javascript; charset=utf-8", "/page/page.css": "text/css; charset=utf-8",
		"/page/maths.js": "text/javascript; charset=utf-8", "/page/diagrams.js": "text/javascript; charset=utf-8",
		"/page/worker.js": "text/javascript; charset=utf-8", "/page/page.webmanifest": "application/manifest+json",
		"/page/icon-192.png": "image/png", "/page/icon.svg": "image/svg+xml", "/page/page.licenses.txt": "text/plain; charset=utf-8",
	} {
		w := send(h, http.MethodGet, path, "")
		require.Equal(t, http.StatusOK, w.Code, path)
		require.Equal(t, kind, w.Header().Get("Content-Type"))
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
		require.Equal(t, "no-referrer", w.Header().Get("Referrer-Policy"))
		policy := w.Header().Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
			require.Contains(t, policy, want)
		}
		require.NotContains(t, policy, "unsafe")
		require.NotContains(t, policy, "*")
		require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))

		again := send(h, http.MethodGet, path, "", "If-None-Match", w.Header().Get("ETag"))
		require.Equal(t, http.StatusNotModified, again.Code)
		require.Empty(t, again.Body.String())
		small := send(h, http.MethodGet, path, "", "Accept-Encoding", "gzip")
		if small.Header().Get("Content-Encoding") == "gzip" {
			r, err := gzip.NewReader(small.Body)
			require.NoError(t, err)
			text, err := io.ReadAll(r)
			require.NoError(t, err)
			require.Equal(t, w.Body.String(), string(text))
		}
	}
	html := send(h, http.MethodGet, "/", "").Body.String()
	require.NotContains(t, html, "<style")
	require.NotRegexp(t, `<script[^>]*>[^<]`, html, "a script within the page")
	require.NotRegexp(t, `(?i)(src|href)="(https?:)?//`, html, "something of another server")
	for _, path := range []string{"/page/", "/page/../page.go", "/page/none.js", "/index.html", "/files/page.js", "//evil.example/"} {
		require.NotEqual(t, http.StatusOK, send(h, http.MethodGet, path, "").Code, path)
	}
}

// The only inline script is the program that draws diagrams, in a sandboxed frame.
func TestThePolicyAllowsOneInlineScript(t *testing.T) {
	w := send(site(t, tokens{}, nil), http.MethodGet, "/page/diagrams.js", "")
	text, ok := strings.CutPrefix(strings.TrimSuffix(w.Body.String(), ";\n"), "export const program = ")
	require.True(t, ok)
	var program string
	require.NoError(t, json.Unmarshal([]byte(text), &program))
	sum := sha256.Sum256([]byte(program))
	scripts := regexp.MustCompile(`script-src ([^;]*);`).FindStringSubmatch(w.Header().Get("Content-Security-Policy"))
	require.Equal(t, "'self' 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'", scripts[1])
	require.NotContains(t, strings.ToLower(program), "</script")
}

func TestATokenIsTradedForACookieThatNoScriptReads(t *testing.T) {
	h := site(t, tokens{"tw_secret": "phone"}, nil)
	w := logIn(h, `{"token":" tw_secret\n"}`)
	require.Equal(t, http.StatusNoContent, w.Code)
	require.Equal(t, "turnwire-7777=tw_secret; Path=/; Max-Age=7776000; HttpOnly; SameSite=Strict", w.Header().Get("Set-Cookie"))
	state := func(headers ...string) int { return send(h, http.MethodPost, page.StatePath, "{}", headers...).Code }
	cookie := "turnwire-7777=tw_secret"
	require.Equal(t, http.StatusOK, state("Origin", ownOrigin, "Cookie", cookie))
	require.Equal(t, http.StatusOK, state("Authorization", "Bearer tw_secret"))

	// Over TLS, including TLS ended by a proxy, only the cookie restricted to this host
	// is accepted.
	w = logIn(h, `{"token":"tw_secret"}`, "Origin", tlsOrigin)
	require.Equal(t, "__Host-turnwire-7777=tw_secret; Path=/; Max-Age=7776000; HttpOnly; Secure; SameSite=Strict", w.Header().Get("Set-Cookie"))
	require.Equal(t, http.StatusOK, state("Origin", tlsOrigin, "Cookie", "__Host-"+cookie))
	require.Equal(t, http.StatusUnauthorized, state("Origin", tlsOrigin, "Cookie", cookie))

	// A browser sends the cookie with requests from any page.
	for name, headers := range map[string][]string{
		"no page":                    {},
		"another port":               {"Origin", "http://own.example:8888"},
		"another page of the site":   {"Origin", ownOrigin, "Sec-Fetch-Site", "same-site"},
		"another page":               {"Origin", "https://evil.example"},
		"a page that may connect":    {"Origin", "https://app.example"},
		"a sandbox":                  {"Origin", "null"},
		"the name without its port":  {"Origin", "http://own.example"},
		"the cookie of another port": {"Origin", ownOrigin, "Cookie", "turnwire-8888=tw_secret"},
		"a name that leads here":     {"Origin", "http://evil.example:7777", "Host", "evil.example:7777"},
		"a header that is wrong":     {"Origin", ownOrigin, "Authorization", "Bearer wrong"},
	} {
		w := send(h, http.MethodPost, page.StatePath, "{}", append([]string{"Cookie", cookie}, headers...)...)
		require.Contains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, w.Code, name)
		require.NotContains(t, w.Body.String(), "/secret", name)
	}
	require.Equal(t, http.StatusMethodNotAllowed, send(h, http.MethodGet, page.StatePath, "", "Authorization", "Bearer tw_secret").Code)

	out := send(h, http.MethodPost, "/logout", "{}", "Origin", ownOrigin, "Content-Type", "application/json")
	require.Contains(t, out.Header().Get("Set-Cookie"), "turnwire-7777=; Path=/; Max-Age=0")
}

func TestOnlyThePageItselfLogsIn(t *testing.T) {
	for name, c := range map[string]struct {
		status  int
		body    string
		headers []string
	}{
		"no origin":            {http.StatusForbidden, `{"token":"tw_secret"}`, []string{"Origin", ""}},
		"another origin":       {http.StatusForbidden, `{"token":"tw_secret"}`, []string{"Origin", "https://evil.example"}},
		"an origin that may":   {http.StatusForbidden, `{"token":"tw_secret"}`, []string{"Origin", "https://app.example"}},
		"another host":         {http.StatusForbidden, `{"token":"tw_secret"}`, []string{"Origin", "http://evil.example", "Host", "evil.example"}},
		"a form":               {http.StatusUnsupportedMediaType, `token=tw_secret`, []string{"Content-Type", "application/x-www-form-urlencoded"}},
		"a form that lies":     {http.StatusUnsupportedMediaType, `{"token":"tw_secret"}`, []string{"Content-Type", "text/plain"}},
		"nothing":              {http.StatusBadRequest, ``, nil},
		"no object":            {http.StatusBadRequest, `"tw_secret"`, nil},
		"half an object":       {http.StatusBadRequest, `{"token":"tw_`, nil},
		"a token that is none": {http.StatusBadRequest, `{"token":["tw_secret"]}`, nil},
		"no token":             {http.StatusForbidden, `{}`, nil},
		"an empty token":       {http.StatusForbidden, `{"token":""}`, nil},
		"another token":        {http.StatusForbidden, `{"token":"tw_other"}`, nil},
		"too much":             {http.StatusRequestEntityTooLarge, `{"token":"` + strings.Repeat("x", 1<<16) + `"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := logIn(site(t, tokens{"tw_secret": "phone"}, nil), c.body, c.headers...)
			require.Equal(t, c.status, w.Code, w.Body.String())
			require.Empty(t, w.Header().Get("Set-Cookie"))
			require.NotContains(t, w.Body.String(), "tw_")
		})
	}
	require.NotEqual(t, http.StatusNoContent, send(site(t, tokens{"tw_secret": "phone"}, nil), http.MethodGet, "/login?token=tw_secret", "").Code)
}

func TestLoginAttemptsAreLimited(t *testing.T) {
	h := site(t, tokens{"tw_secret": "phone"}, nil)
	for range 5 {
		require.Equal(t, http.StatusForbidden, logIn(h, `{"token":"tw_other"}`).Code)
	}
	w := logIn(h, `{"token":"tw_secret"}`)
	require.Equal(t, http.StatusTooManyRequests, w.Code)
	require.NotEmpty(t, w.Header().Get("Retry-After"))
}

func TestACodeIsTradedForItsToken(t *testing.T) {
	traded := false
	h := site(t, tokens{"tw_made": "page"}, func(code string) (string, bool) {
		ok := code == "tw1_code" && !traded
		traded = traded || ok
		return "tw_made", ok
	})
	require.Contains(t, logIn(h, `{"token":"tw1_code"}`).Header().Get("Set-Cookie"), "=tw_made;")
	require.Equal(t, http.StatusForbidden, logIn(h, `{"token":"tw1_code"}`).Code)
}

func TestWithoutTokensThereIsNoLogin(t *testing.T) {
	h := site(t, nil, nil)
	require.Empty(t, logIn(h, `{"token":"x"}`).Header().Get("Set-Cookie"))
	w := send(h, http.MethodPost, page.StatePath, "{}", "Origin", ownOrigin)
	require.JSONEq(t, `{"version":"","login":false,"folder":"/secret","folders":null,"agents":null,"sessions":null}`, w.Body.String())
}

func FuzzLogin(f *testing.F) {
	f.Add(`{"token":"x"}`, ownOrigin, "turnwire-7777=x", "own.example:7777")
	f.Add(`{`, "null", ";;=", ":")
	f.Fuzz(func(t *testing.T, body, origin, cookie, host string) {
		h := site(t, tokens{"tw_0123456789": "phone"}, func(string) (string, bool) { return "", false })
		if strings.Contains(body+cookie, "tw_0123456789") {
			return // it is the token
		}
		headers := []string{"Origin", origin, "Cookie", cookie, "Host", host, "Content-Type", "application/json"}
		require.Empty(t, send(h, http.MethodPost, "/login", body, headers...).Header().Get("Set-Cookie"))
		require.NotEqual(t, http.StatusOK, send(h, http.MethodPost, page.StatePath, body, headers...).Code)
	})
}

func TestAnObserverSeesOpenSessionsAlone(t *testing.T) {
	s := page.State{
		Version: "1", Folder: "/w", Folders: []string{"/w", "/other"}, PushKey: "k",
		Agents:   []page.Agent{{Name: "a", Path: "/acp"}},
		Sessions: []page.Session{{ID: "open", Agent: "a", Cwd: "/w", Title: "Tea", Open: true}, {ID: "saved", Agent: "a", Cwd: "/other", Title: "Secret"}},
	}
	require.Equal(t, page.State{
		Version: "1", Folder: "/w", Folders: []string{}, Agents: s.Agents, Sessions: s.Sessions[:1],
	}, s.ForObserver())
	require.Len(t, s.Sessions, 2)
}
