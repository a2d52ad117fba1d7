//go:build !unix

package serve

import "net"

// listenPrivately listens on a socket. The permissions of its folder decide who can open
// it.
func listenPrivately(path string) (net.Listener, error) { return net.Listen("unix", path) }
