package ethos

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

const (
	// authCookie is the cookie by which Ethos recognises a browser.
	authCookie = "ethos_auth"
	// exchangePath is the path at which a token is exchanged.
	exchangePath = "/auth/exchange"
	// exchangeTimeout limits the exchange of a token if no timeout is
	// configured.
	exchangeTimeout = 30 * time.Second
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
	if l.ready != nil {
		return *l.ready, nil
	}
	c := l.config
	c.Header = c.Header.Clone()
	if c.Header == nil {
		c.Header = http.Header{}
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return c, &agentError{codeNotStarted, "the Ethos URL is invalid", nil}
	}
	if c.Header.Get("Origin") == "" { // without one, Ethos accepts no POST from a browser session
		c.Header.Set("Origin", base.Scheme+"://"+base.Host)
	}
	query := base.Query()
	if token := query.Get("t"); token != "" {
		query.Del("t")
		base.RawQuery = query.Encode()
		// `ethos serve` prints the page that exchanges the token.
		base.Path, base.RawPath = strings.TrimSuffix(strings.TrimSuffix(base.Path, "/"), exchangePath), ""
		c.BaseURL = base.String()
		cookie, err := exchange(ctx, c, *base, token)
		if err != nil {
			return c, err
		}
		c.Header.Add("Cookie", cookie.Name+"="+cookie.Value)
	}
	l.ready = &c
	return c, nil
}

// exchange exchanges a token for a cookie. No error contains the token.
func exchange(ctx context.Context, c httpsse.Config, base url.URL, token string) (*http.Cookie, error) {
	limit := c.StartTimeout
	if limit == 0 {
		limit = exchangeTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	base.Path = strings.TrimSuffix(base.Path, "/") + exchangePath
	place := base
	place.User, place.RawQuery, place.Fragment = nil, "", ""
	base.RawQuery = url.Values{"t": {token}}.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base.String(), nil)
	if err != nil {
		return nil, &agentError{codeNotStarted, "the Ethos URL is invalid", nil}
	}
	request.Header = c.Header.Clone()
	transport := http.DefaultTransport.(*http.Transport).Clone()
	defer transport.CloseIdleConnections()
	client := http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	r, err := client.Do(request)
	if err != nil {
		if outer, ok := errors.AsType[*url.Error](err); ok {
			err = outer.Err // the outer one repeats the URL with the token
		}
		return nil, &agentError{codeUnreachable, fmt.Sprintf("cannot reach %s: %v. Check the URL, and that `ethos serve` is running there", place.String(), err), err}
	}
	defer r.Body.Close() //nolint:errcheck // nothing of it is of interest
	for _, cookie := range r.Cookies() {
		if cookie.Name == authCookie {
			return cookie, nil
		}
	}
	return nil, notExchanged(place.String(), r.StatusCode)
}

// notExchanged returns the reason why a token gave no cookie.
func notExchanged(place string, status int) error {
	problem := fmt.Sprintf("GET %s returned %d", place, status)
	switch {
	case status == http.StatusNotFound:
		return &agentError{"http_404", problem + ". Check the URL: it should be the one that `ethos serve` prints", nil}
	case status >= http.StatusInternalServerError:
		return &agentError{fmt.Sprintf("http_%d", status), problem + ". See the log of `ethos serve`", nil}
	}
	return &agentError{codeUnauthorized, problem + ": Ethos rejects the token in the URL, which can be used only once. " +
		"Restart `ethos serve` and use the URL that it prints, or set the Authorization header to \"Bearer \" and an API key", nil}
}
