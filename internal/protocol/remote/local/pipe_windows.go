package local

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

// UserPipe returns the address of the pipe on which this user's server listens.
func UserPipe() (string, error) {
	sid, err := user()
	if err != nil {
		return "", err
	}
	return pipes + "turnwire-" + sid.String(), nil
}

func user() (*windows.SID, error) {
	u, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, fmt.Errorf("get the current user: %w", err)
	}
	return u.User.Sid, nil
}

// ListenPipe listens on a pipe that only this user can open. It fails if a pipe with
// the name exists.
func ListenPipe(address string) (net.Listener, error) {
	sid, err := user()
	if err != nil {
		return nil, err
	}
	// Only the owner has access, with all rights, and nothing is inherited.
	return winio.ListenPipe(address, &winio.PipeConfig{
		SecurityDescriptor: fmt.Sprintf("O:%sD:P(A;;GA;;;%s)", sid, sid),
		InputBufferSize:    64 << 10, OutputBufferSize: 64 << 10,
	})
}

var errForeign = errors.New("the pipe belongs to another user")

// dialPipe connects to one of this user's pipes.
func dialPipe(ctx context.Context, address string) (net.Conn, error) {
	conn, err := winio.DialPipeContext(ctx, address)
	if err != nil {
		return nil, err
	}
	if err := isOwn(conn); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", address, err), conn.Close())
	}
	return conn, nil
}

// isOwn returns an error unless the other end belongs to this user.
func isOwn(conn net.Conn) error {
	pipe, ok := conn.(interface{ Fd() uintptr })
	if !ok {
		return errForeign
	}
	about, err := windows.GetSecurityInfo(windows.Handle(pipe.Fd()), windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("get the pipe's owner: %w", err)
	}
	owner, _, err := about.Owner()
	if err != nil {
		return fmt.Errorf("get the pipe's owner: %w", err)
	}
	sid, err := user()
	if err != nil {
		return err
	}
	if !owner.Equals(sid) {
		return errForeign
	}
	return nil
}
