//go:build unix

package serve

import (
	"errors"
	"net"
	"os"
	"path/filepath"
)

// listenPrivately listens on a socket with mode 0600. It creates the socket in a private
// folder and then moves it, because others could otherwise open it before its mode is
// set.
func listenPrivately(path string) (net.Listener, error) {
	folder, err := os.MkdirTemp(filepath.Dir(path), ".s")
	if err != nil {
		return nil, err
	}
	defer os.Remove(folder) //nolint:errcheck // it is empty
	made := filepath.Join(folder, "s")
	listener, err := net.Listen("unix", made)
	if err != nil {
		return nil, err
	}
	l := listener.(*net.UnixListener)
	l.SetUnlinkOnClose(false)
	if err := errors.Join(os.Chmod(made, 0o600), os.Rename(made, path)); err != nil {
		return nil, errors.Join(err, l.Close(), os.Remove(made))
	}
	return &socket{l, path}, nil
}

// socket removes its file when it is closed.
type socket struct {
	*net.UnixListener

	path string
}

// Close implements [net.Listener].
func (s *socket) Close() error {
	err := s.UnixListener.Close()
	if err == nil { // the first call
		_ = os.Remove(s.path)
	}
	return err
}
