package serve

import (
	"errors"
	"fmt"
	"net"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// Errors of what would be open to others.
var (
	errNoTLS = errors.New("--listen: other machines can reach this address: give --tls-cert and --tls-key, " +
		"or --insecure if nobody can read what is on the way")
	errNowhere  = errors.New("there is nowhere to listen: give --listen or --socket")
	errNoTokens = errors.New("--listen: other machines can reach this address: leave --auth none away, " +
		"or give --insecure if everybody who can reach it may run agents as you")
)

// resolve is the address to listen at, if that is safe enough.
func (c Config) resolve() (*net.TCPAddr, error) {
	address, err := net.ResolveTCPAddr("tcp", c.Listen)
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	switch {
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return nil, errors.New("--tls-cert and --tls-key go together")
	case address.IP.IsLoopback() || c.Insecure:
	case c.TLSCert == "":
		return nil, errNoTLS
	case c.Tokens == nil:
		return nil, errNoTokens
	}
	return address, nil
}

// Loopback reports whether an address to listen at can be reached by this machine
// alone. One that is none is nobody's.
func Loopback(listen string) bool {
	address, err := net.ResolveTCPAddr("tcp", listen)
	return err == nil && address.IP.IsLoopback()
}

// host is the name in the address to listen at.
func (c Config) host() string {
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return ""
	}
	return host
}

// urls are those of the endpoint: one for a WebSocket, one for requests.
func (c Config) urls(at net.Addr) []string {
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return nil
	}
	if name := c.host(); name != "" && net.ParseIP(name) == nil {
		host = name
	} else if ip := net.ParseIP(host); ip.IsUnspecified() {
		host = "localhost"
	}
	schemes := []string{"ws", "http"}
	if c.TLSCert != "" {
		schemes = []string{"wss", "https"}
	}
	var urls []string
	for _, scheme := range schemes {
		urls = append(urls, scheme+"://"+net.JoinHostPort(host, port)+remote.Path)
	}
	return urls
}
