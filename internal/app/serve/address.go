package serve

import (
	"errors"
	"fmt"
	"net"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// Errors for addresses that would be open to others.
var (
	errNoTLS = errors.New("--listen: other machines can reach this address: add --tls auto, or " +
		"--tls-cert and --tls-key, or --insecure if the network is trusted")
	errNowhere  = errors.New("no address to listen on: add --listen or --socket")
	errNoTokens = errors.New("--listen: other machines can reach this address: remove --auth none, " +
		"or add --insecure if everyone who can reach it may run agents as you")
)

// resolve returns the address to listen on, if it is safe.
func (c Config) resolve() (*net.TCPAddr, error) {
	address, err := net.ResolveTCPAddr("tcp", c.Listen)
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	switch {
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return nil, errors.New("--tls-cert and --tls-key must be used together")
	case address.IP.IsLoopback() || c.Insecure:
	case !c.hasTLS():
		return nil, errNoTLS
	case c.Tokens == nil:
		return nil, errNoTokens
	}
	return address, nil
}

func (c Config) hasTLS() bool { return c.TLSCert != "" || c.Certificate != nil }

// Loopback reports whether only this machine can reach a listen address. It returns false
// for an invalid address.
func Loopback(listen string) bool {
	address, err := net.ResolveTCPAddr("tcp", listen)
	return err == nil && address.IP.IsLoopback()
}

// host returns the host name in the listen address.
func (c Config) host() string {
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return ""
	}
	return host
}

// urls returns the endpoint's URLs: one for WebSockets, and one for HTTP requests.
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
	if c.hasTLS() {
		schemes = []string{"wss", "https"}
	}
	var urls []string
	for _, scheme := range schemes {
		urls = append(urls, scheme+"://"+net.JoinHostPort(host, port)+remote.Path)
	}
	return urls
}
