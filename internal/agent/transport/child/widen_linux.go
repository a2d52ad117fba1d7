package child

import (
	"os"

	"golang.org/x/sys/unix"
)

// wide is how much a wide pipe holds, in bytes; others hold 64 KiB.
const wide = 256 << 10

// widen lets the pipe that f is an end of hold more: who writes much then waits
// for its reader less often. It stays as it is where the system grants no more
// memory for pipes.
func widen(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, wide) })
	}
}
