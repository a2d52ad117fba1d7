//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

var errNobodyReads = errors.New("nobody reads stdout any more")

// takeStdout moves stdout to another descriptor and leaves the null device in
// its place: nothing but the protocol may be written to it, whatever a library
// thinks that it has to say. And while Go ends a program that writes to a
// stdout nobody reads, another descriptor's write fails, and the bridge can
// stop its agents first.
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

// watchOutput returns a watch that calls cancel when the other end of out is
// closed: an editor that died without closing our stdin would otherwise be
// noticed only at the next write, which may never come. The watch returns then.
func watchOutput(out *os.File, cancel context.CancelCauseFunc) (watch func()) {
	// Asked for now, because whoever closes out does not wait for the watch.
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
			return // not a thing that can be watched
		}
		if n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
			cancel(errNobodyReads)
			return
		}
	}
}
