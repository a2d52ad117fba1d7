package client

import (
	"errors"
	"io"
	"net/http"
)

// A strict is a transport whose upgraded connections don't end with EOF but with
// [io.ErrUnexpectedEOF]. The WebSocket library takes an EOF within a frame for the end of
// the message, and returns what has arrived of it.
type strict struct{ http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (s strict) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := s.RoundTripper.RoundTrip(r)
	if err == nil && response.StatusCode == http.StatusSwitchingProtocols {
		if body, ok := response.Body.(io.ReadWriteCloser); ok {
			response.Body = strictBody{body}
		}
	}
	return response, err
}

type strictBody struct{ io.ReadWriteCloser }

// Read implements [io.Reader].
func (b strictBody) Read(p []byte) (int, error) {
	n, err := b.ReadWriteCloser.Read(p)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
