package pipe

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// size is how much a pipe holds, in bytes. It is an error for any other file.
func size(f *os.File) (int, error) { return control(f, unix.F_GETPIPE_SZ, 0) }

// resize lets a pipe hold n bytes. It fails where n are too many for this user,
// or the pipe holds more already; see [isBusy].
func resize(f *os.File, n int) error {
	_, err := control(f, unix.F_SETPIPE_SZ, n)
	return err
}

// isBusy reports whether a pipe held more than it was to hold.
func isBusy(err error) bool { return errors.Is(err, unix.EBUSY) }

func control(f *os.File, command, argument int) (n int, err error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	if failed := raw.Control(func(fd uintptr) { n, err = unix.FcntlInt(fd, command, argument) }); failed != nil {
		return 0, failed
	}
	return n, err
}
