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

// maxAnswer bounds what is read of an answer.
const maxAnswer = 64 << 10

// firstPause is how long the second attempt waits. Each further one waits twice as
// long, or as long as the collector says.
const firstPause = 500 * time.Millisecond

// errRefused is a collector's answer that says that trying again may help.
var errRefused = errors.New("the collector cannot take it now")

// send posts a request. It tries again what may succeed later, as long as the
// timeout allows.
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

// post posts a request once. An error that wraps errRefused says to try again, and
// not before wait has passed.
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

// rejected is an error if the answer says that a part was not taken: its field 1,
// in which field 1 is how much, and field 2 why.
func rejected(answer []byte) error {
	partial, _ := valueOf(answer, 1)
	_, n := valueOf(partial, 1)
	why, _ := valueOf(partial, 2)
	if n == 0 {
		return nil
	}
	return fmt.Errorf("the collector has not taken %d: %q", n, why)
}

// close gives up the connections that nobody uses.
func (s *sender) close() { s.client.CloseIdleConnections() }
