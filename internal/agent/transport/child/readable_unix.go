//go:build unix

package child

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Readable waits until there is data or EOF. It returns false if it could not
// wait, in which case a Read may block.
func (o *output) Readable() bool {
	raw, err := o.f.SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Read(func(fd uintptr) bool {
		// Data that arrived earlier causes no wake-up, so poll for it.
		look := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		for {
			n, err := unix.Poll(look, 0)
			if !errors.Is(err, unix.EINTR) {
				return n != 0 || err != nil
			}
		}
	})
	return err == nil
}
