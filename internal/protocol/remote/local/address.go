package local

import (
	"context"
	"net"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/turnwire/turnwire/internal/lazyregexp"
)

// scheme is the scheme of URLs for a WebSocket behind an address.
const scheme = "ws+unix"

// pipes is the prefix of the paths of pipes.
const pipes = `\\.\pipe\`

// IsPipe reports whether an address is a named pipe.
func IsPipe(address string) bool {
	address = strings.ReplaceAll(address, "/", `\`)
	return len(address) > len(pipes) && strings.EqualFold(address[:len(pipes)], pipes)
}

// Dial connects to an address. The error is [io/fs.ErrNotExist] or ECONNREFUSED if
// nobody listens there.
func Dial(ctx context.Context, address string) (net.Conn, error) {
	if IsPipe(address) {
		return dialPipe(ctx, strings.ReplaceAll(address, "/", `\`))
	}
	return new(net.Dialer).DialContext(ctx, "unix", address)
}

// drive matches a path with a drive letter in a URL.
var drive = lazyregexp.New(`^/[A-Za-z]:/`)

// URL returns the URL of a WebSocket at a path behind an address. It has the form that
// WebSocket libraries use: ws+unix:///run/s.sock:/acp.
func URL(address, path string) string {
	slashed := filepath.ToSlash(address)
	if IsPipe(address) {
		slashed = strings.ReplaceAll(address, `\`, "/")
	}
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive
	}
	return (&url.URL{Scheme: scheme, Path: slashed + ":" + path}).String()
}

// Parse parses a URL that [URL] returned.
func Parse(u *url.URL) (address, path string, ok bool) {
	return parse(u, runtime.GOOS == "windows")
}

func parse(u *url.URL, drives bool) (address, path string, ok bool) {
	at := strings.LastIndex(u.Path, ":/")
	if u.Scheme != scheme || u.Host != "" || at < 1 {
		return "", "", false
	}
	address, path = u.Path[:at], u.Path[at+1:]
	switch {
	case IsPipe(address):
		address = strings.ReplaceAll(address, "/", `\`)
	case drives && drive().MatchString(address):
		address = address[1:]
	}
	return address, path, true
}
