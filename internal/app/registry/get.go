package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	// maxRedirects limits how many redirects are followed.
	maxRedirects = 5
	// headerTimeout limits how long a server may take to start its response.
	headerTimeout = 30 * time.Second
)

// get downloads a URL to w, at most limit bytes. It uses only https. If local is set, it
// also uses http with servers on this machine.
func get(ctx context.Context, address string, local bool, limit int64, w io.Writer) error {
	if err := allowed(address, local); err != nil {
		return err
	}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true,
		TLSHandshakeTimeout: headerTimeout, ResponseHeaderTimeout: headerTimeout,
	}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return errors.New("too many redirects")
		}
		return allowed(r.URL.String(), local)
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", "turnwire")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s returned the status %d", request.URL.Host, response.StatusCode)
	}
	n, err := io.Copy(w, io.LimitReader(response.Body, limit+1))
	if err == nil && n > limit {
		err = fmt.Errorf("the response from %s is longer than %d bytes", request.URL.Host, limit)
	}
	return err
}

// allowed reports why a URL may not be downloaded.
func allowed(address string, local bool) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.User != nil:
		return errors.New("the URL has no host, or contains a password")
	case isLoopback(address):
		if local {
			return nil
		}
		return fmt.Errorf("%s is on this machine, which an online registry may not refer to", u.Host)
	case u.Scheme != "https":
		return fmt.Errorf("the URL must begin with https://, not %.20q", u.Scheme+"://")
	}
	return nil
}

// isLoopback reports whether a URL refers to a server on this machine.
func isLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
