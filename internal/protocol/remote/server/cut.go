package server

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
)

// A strict is a response whose connection, once hijacked, doesn't end with EOF but with
// [io.ErrUnexpectedEOF]. The WebSocket library takes an EOF within a frame for the end of
// the message, and returns what has arrived of it.
type strict struct{ http.ResponseWriter }

// Hijack implements [http.Hijacker].
func (s strict) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, buffered, err := http.NewResponseController(s.ResponseWriter).Hijack()
	return strictConn{c}, buffered, err
}

type strictConn struct{ net.Conn }

// Read implements [io.Reader].
func (c strictConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
