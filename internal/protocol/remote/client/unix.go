package client

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/turnwire/turnwire/internal/protocol/remote/local"
)

var errNobody = errors.New("no server is running; start one with turnwire serve")

// onSocket makes a transport connect to the socket or pipe in a URL, and returns the
// URL to use on it. start, if not nil, starts a server if nobody listens.
func onSocket(u *url.URL, transport *http.Transport, start func(context.Context) error) (*url.URL, error) {
	address, endpoint, ok := local.Parse(u)
	if !ok {
		return nil, errors.New("a socket URL has the form ws+unix:///path/to/socket:/acp")
	}
	transport.Proxy = nil
	transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, err := local.Dial(ctx, address)
		if isNobody(err) && start != nil {
			if err := start(ctx); err != nil {
				return nil, err
			}
			conn, err = local.Dial(ctx, address)
		}
		if isNobody(err) {
			return nil, errNobody
		}
		return conn, err
	}
	return &url.URL{Scheme: "ws", Host: "localhost", Path: endpoint}, nil
}

// isNobody reports whether an error means that nobody listens.
func isNobody(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)
}

// IsLocal reports whether a URL leads to a socket or pipe of this machine.
func IsLocal(raw string) bool { return strings.HasPrefix(raw, "ws+unix:") }
