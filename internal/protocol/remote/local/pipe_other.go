//go:build !windows

package local

import (
	"context"
	"errors"
	"net"
)

var errNoPipes = errors.New("there are named pipes on Windows alone")

// UserPipe is the address of the pipe where a server of this user listens, or ""
// where there are no pipes.
func UserPipe() (string, error) { return "", nil }

// ListenPipe listens on a pipe that this user alone can open.
func ListenPipe(string) (net.Listener, error) { return nil, errNoPipes }

func dialPipe(context.Context, string) (net.Conn, error) { return nil, errNoPipes }
