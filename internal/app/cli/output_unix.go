//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

var errNobodyReads = errors.New("stdout was closed by its reader")

// takeStdout moves stdout to another descriptor and puts the null device in its place,
// because only protocol messages may be written to it, whatever a library prints. It also
// prevents Go from ending the program when a write to stdout finds it closed: a write to
// another descriptor just fails, so the bridge can stop its agents first.
func takeStdout() (*os.File, error) {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("stdout: %w", err)
	}
	out := os.NewFile(uintptr(fd), "stdout")
	null, err := unix.Open(os.DevNull, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err == nil {
		err = errors.Join(unix.Dup2(null, 1), unix.Close(null))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", os.DevNull, err), out.Close())
	}
	return out, nil
}

// watchOutput returns a function that waits until the other end of out is closed, then
// calls cancel. Without it, an editor that died without closing our stdin would only be
// noticed at the next write, which may never happen.
func watchOutput(out *os.File, cancel context.CancelCauseFunc) (watch func()) {
	// Get the descriptor now, because out may be closed while poll is waiting.
	fd := int32(out.Fd())
	return func() { poll(fd, cancel) }
}

func poll(fd int32, cancel context.CancelCauseFunc) {
	fds := []unix.PollFd{{Fd: fd}}
	for {
		n, err := unix.Poll(fds, -1)
		if errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN) {
			continue
		}
		if err != nil || fds[0].Revents&unix.POLLNVAL != 0 {
			return // this kind of file can't be watched
		}
		if n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
			cancel(errNobodyReads)
			return
		}
	}
}
