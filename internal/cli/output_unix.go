//go:build unix

package cli

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

var errNobodyReads = errors.New("nobody reads stdout any more")

// watchAfter keeps the watch, which takes a thread, out of the start.
const watchAfter = 50 * time.Millisecond

// watchOutput calls cancel when the other end of out is closed: an editor that
// died without closing our stdin would otherwise be noticed only at the next
// write, which may never come. It returns at once and watches until then.
func watchOutput(out *os.File, cancel context.CancelCauseFunc) {
	// Asked for now, because whoever closes out does not wait for the watch.
	fd := int32(out.Fd())
	time.AfterFunc(watchAfter, func() { poll(fd, cancel) })
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
