package child

import (
	"os"

	"golang.org/x/sys/unix"
)

// wide is the capacity of a wide pipe, in bytes. The default is 64 KiB.
const wide = 256 << 10

// widen enlarges the pipe that f is an end of, so that a fast writer waits less
// often for its reader. If the system grants no more pipe memory, the pipe
// stays as it is.
func widen(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, wide) })
	}
}
