package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// A sender posts requests to a collector.
type sender struct {
	url     string
	header  http.Header
	timeout time.Duration
	gzip    bool
	client  *http.Client
}

// maxAnswer limits how much of a response is read, in bytes.
const maxAnswer = 64 << 10

// firstPause is the delay before the second attempt. It doubles with each further
// attempt, unless the collector requests a delay.
const firstPause = 500 * time.Millisecond

// errRefused says that the collector suggests to retry.
var errRefused = errors.New("the collector is busy")

// send posts a request. It retries temporary failures until the timeout.
func (s *sender) send(ctx context.Context, body []byte) error {
	ctx, stop := context.WithTimeout(ctx, s.timeout)
	defer stop()
	if s.gzip {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, err := w.Write(body)
		if err := errors.Join(err, w.Close()); err != nil {
			return fmt.Errorf("packing: %w", err)
		}
		body = packed.Bytes()
	}
	for pause := firstPause; ; pause *= 2 {
		wait, err := s.post(ctx, body)
		if !errors.Is(err, errRefused) {
			return err
		}
		timer := time.NewTimer(max(pause, wait))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		}
	}
}

// post posts a request once. If the error wraps errRefused, the caller may retry after
// wait.
func (s *sender) post(ctx context.Context, body []byte) (wait time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("a request: %w", err)
	}
	r.Header = s.header.Clone()
	r.Header.Set("Content-Type", "application/x-protobuf")
	if s.gzip {
		r.Header.Set("Content-Encoding", "gzip")
	}
	answer, err := s.client.Do(r)
	if err != nil {
		if ctx.Err() == nil {
			err = fmt.Errorf("%w: %w", errRefused, err)
		}
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	switch code := answer.StatusCode; {
	case code >= 200 && code < 300:
		return 0, rejected(text)
	case code == http.StatusTooManyRequests, code == http.StatusBadGateway, code == http.StatusServiceUnavailable, code == http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		return time.Duration(seconds) * time.Second, fmt.Errorf("%w: %s says %s", errRefused, s.url, answer.Status)
	case err != nil:
		return 0, fmt.Errorf("%s says %s: %w", s.url, answer.Status, err)
	default:
		return 0, fmt.Errorf("%s says %s", s.url, answer.Status)
	}
}

// rejected returns an error if the collector rejected a part of the request. Field 1 of
// the response has that: its field 1 is the number of rejected items, and field 2 the
// reason.
func rejected(answer []byte) error {
	partial, _ := valueOf(answer, 1)
	_, n := valueOf(partial, 1)
	why, _ := valueOf(partial, 2)
	if n == 0 {
		return nil
	}
	return fmt.Errorf("the collector rejected %d items: %q", n, why)
}

// close closes idle connections.
func (s *sender) close() { s.client.CloseIdleConnections() }
