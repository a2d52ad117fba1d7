//go:build !windows

package local

import (
	"context"
	"errors"
	"net"
)

var errNoPipes = errors.New("named pipes are only supported on Windows")

// UserPipe returns the address of the pipe on which this user's server listens, or ""
// on systems without named pipes.
func UserPipe() (string, error) { return "", nil }

// ListenPipe listens on a pipe that only this user can open.
func ListenPipe(string) (net.Listener, error) { return nil, errNoPipes }

func dialPipe(context.Context, string) (net.Conn, error) { return nil, errNoPipes }
