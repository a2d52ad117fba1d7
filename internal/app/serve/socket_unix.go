//go:build unix

package serve

import (
	"errors"
	"net"
	"os"
	"path/filepath"
)

// listenPrivately listens on a socket with the mode 0600. It is made beside its
// place, in a folder of its own that nobody else can look into: otherwise others
// could open it before its mode is set.
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
	if err == nil { // the first time
		_ = os.Remove(s.path)
	}
	return err
}
