package page

import (
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

const (
	// maxBody is the largest accepted login request, in bytes.
	maxBody = 4 << 10
	// Tokens have 256 bits, so these limits only protect the processor and the log.
	perAddress, perAddressBurst = rate.Limit(0.5), 5
	all, allBurst               = rate.Limit(20), 40
	// maxAddresses limits how many addresses are remembered.
	maxAddresses = 4096
	// remembered is the lifetime of the cookie.
	remembered = 90 * 24 * time.Hour
)

// A login exchanges tokens for cookies.
type login struct {
	config Config
	total  *rate.Limiter

	mu   sync.Mutex
	from map[string]*rate.Limiter // by address
}

func newLogin(c Config) *login {
	return &login{config: c, total: rate.NewLimiter(all, allBurst), from: make(map[string]*rate.Limiter)}
}

// in logs in a page.
func (l *login) in(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	w.Header().Set("Cache-Control", "no-store")
	if !l.ours(w, r) {
		return
	}
	if !l.allow(r.RemoteAddr) {
		w.Header().Set("Retry-After", "2")
		http.Error(w, "too many attempts: try again later", http.StatusTooManyRequests)
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the request is too long", http.StatusRequestEntityTooLarge)
		return
	}
	var given struct {
		Token string `json:"token"`
	}
	if err := exactjson.Unmarshal(text, &given); err != nil {
		http.Error(w, "the request must be a JSON object with a token", http.StatusBadRequest)
		return
	}
	if l.config.Tokens == nil {
		w.WriteHeader(http.StatusNoContent) // no login is needed
		return
	}
	token := strings.TrimSpace(given.Token)
	if l.config.Once != nil {
		if made, ok := l.config.Once(token); ok {
			token = made
		}
	}
	name, ok := l.config.Tokens.Find(token)
	if !ok {
		l.config.Log.Warn("rejected a login", "remote", r.RemoteAddr)
		http.Error(w, "the token is unknown, expired, already used or revoked", http.StatusForbidden)
		return
	}
	l.config.Log.Info("a page logged in", "remote", r.RemoteAddr, "token", name)
	http.SetCookie(w, cookie(r, token, remembered))
	w.WriteHeader(http.StatusNoContent)
}

// out logs out a page, by deleting its cookie.
func (l *login) out(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	if !l.ours(w, r) {
		return
	}
	http.SetCookie(w, cookie(r, "", -time.Second))
	w.Header().Set("Clear-Site-Data", `"cache"`)
	w.WriteHeader(http.StatusNoContent)
}

// ours reports whether a request comes from the page itself. If not, it writes an error
// response. A form on another page can't send JSON or use this origin.
func (l *login) ours(w http.ResponseWriter, r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case !guard.SameOrigin(r):
		http.Error(w, "only the server's own page can log in", http.StatusForbidden)
	case err != nil || kind != "application/json":
		http.Error(w, "the Content-Type must be application/json", http.StatusUnsupportedMediaType)
	default:
		return true
	}
	return false
}

// allow reports whether an address may make another attempt.
func (l *login) allow(remote string) bool {
	if host, _, err := net.SplitHostPort(remote); err == nil {
		remote = host
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.from) >= maxAddresses {
		clear(l.from)
	}
	one := l.from[remote]
	if one == nil {
		one = rate.NewLimiter(perAddress, perAddressBurst)
		l.from[remote] = one
	}
	return one.Allow() && l.total.Allow()
}

// cookie stores a token in the browser. Over TLS, including TLS ended by a proxy, the
// cookie is restricted to this host and to TLS.
func cookie(r *http.Request, token string, valid time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: guard.CookieName(r), Value: token, Path: "/", MaxAge: int(valid / time.Second),
		HttpOnly: true, Secure: guard.IsSecure(r), SameSite: http.SameSiteStrictMode,
	}
}
