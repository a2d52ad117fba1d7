package ethos

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

const (
	// authCookie is the cookie by which Ethos recognises a browser.
	authCookie = "ethos_auth"
	// exchangePath is the path at which a token is exchanged.
	exchangePath = "/auth/exchange"
)

// login determines how to sign in. An agent's sessions share it, because a token
// can be exchanged only once.
type login struct {
	config httpsse.Config

	busy  chan struct{}   // semaphore, held while the login is determined
	ready *httpsse.Config // nil until it is known
}

func newLogin(c httpsse.Config) *login { return &login{config: c, busy: make(chan struct{}, 1)} }

// remote returns the configuration with all credentials and headers that Ethos
// requires.
func (l *login) remote(ctx context.Context) (httpsse.Config, error) {
	select {
	case l.busy <- struct{}{}:
	case <-ctx.Done():
		return httpsse.Config{}, ctx.Err()
	}
	defer func() { <-l.busy }()
	if l.ready == nil {
		c, err := signIn(ctx, l.config)
		if err != nil {
			return c, err
		}
		l.ready = &c
	}
	return *l.ready, nil
}

// signIn returns the configuration with an origin, and with a cookie instead of the URL's
// token.
func signIn(ctx context.Context, c httpsse.Config) (httpsse.Config, error) {
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return c, lifecycle.NewError(codeNotStarted, "the Ethos URL is invalid", nil)
	}
	if c.Header = c.Header.Clone(); c.Header == nil {
		c.Header = http.Header{}
	}
	if c.Header.Get("Origin") == "" { // without one, Ethos accepts no POST from a browser session
		c.Header.Set("Origin", base.Scheme+"://"+base.Host)
	}
	query := base.Query()
	if query.Get("t") == "" {
		return c, nil
	}
	// `ethos serve` prints the page that exchanges the token.
	base.Path, base.RawPath = strings.TrimSuffix(strings.TrimSuffix(base.Path, "/"), exchangePath), ""
	c.BaseURL = base.String()
	cookie, err := exchange(ctx, c)
	if err != nil {
		return c, err
	}
	c.Header.Add("Cookie", cookie.Name+"="+cookie.Value)
	query.Del("t")
	base.RawQuery = query.Encode()
	c.BaseURL = base.String()
	return c, nil
}

// exchange exchanges the token in the base URL for a cookie. No error contains the token.
func exchange(ctx context.Context, c httpsse.Config) (*http.Cookie, error) {
	c.PathHint = "It should be the one that `ethos serve` prints"
	client, err := httpsse.New(c)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	cookies, err := client.Cookies(ctx, http.MethodGet, exchangePath)
	if i := slices.IndexFunc(cookies, func(c *http.Cookie) bool { return c.Name == authCookie }); i >= 0 {
		return cookies[i], nil
	}
	problem := "no cookie"
	if err != nil {
		refused, ok := errors.AsType[*httpsse.StatusError](err)
		if !ok || refused.Status == http.StatusNotFound || refused.Status >= http.StatusInternalServerError {
			return nil, err
		}
		problem = strconv.Itoa(refused.Status)
	}
	return nil, lifecycle.NewError(codeUnauthorized, "GET "+client.URL()+exchangePath+" returned "+problem+
		": Ethos rejects the token in the URL, which can be used only once. "+
		"Restart `ethos serve` and use the URL that it prints, or set the Authorization header to \"Bearer \" and an API key", nil)
}
