//go:build unix

package child

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Readable waits until there is something to read, or the end. It returns false
// where it was not waited for, and a Read may take its time.
func (o *output) Readable() bool {
	raw, err := o.f.SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Read(func(fd uintptr) bool {
		// Data that came before would not wake anybody: it is looked for.
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
