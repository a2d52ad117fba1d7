package notify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// maxResponse bounds the part of a response that is read so that the connection can be
// reused, in bytes.
const maxResponse = 64 << 10

// newClient returns an HTTP client that follows no redirects: a notification goes only to
// the address in the configuration.
func newClient(transport http.RoundTripper) *http.Client {
	if transport == nil {
		transport = http.DefaultTransport.(*http.Transport).Clone()
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// post sends a POST request. Its errors don't contain the address, which may be secret.
func post(ctx context.Context, client *http.Client, to, body string, header http.Header) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("%w: the URL is invalid", errRefused)
	}
	req.Header = header
	res, err := client.Do(req)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err
		}
		return err
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.CopyN(io.Discard, res.Body, maxResponse) // the status says enough
	switch status := res.StatusCode; {
	case status >= 200 && status < 300:
		return nil
	case status >= 500, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout:
		return fmt.Errorf("the server responded with %d", status)
	default:
		return fmt.Errorf("%w: the server responded with %d", errRefused, status)
	}
}
