package child

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipeSize is how much a child can say before it must wait: four times of what
// it is otherwise. A child that says much then waits, and is woken, less often.
const pipeSize = 256 << 10

// widen lets a pipe hold more. It stays as it is where the system grants no more
// memory for pipes.
func widen(pipe *os.File) {
	raw, err := pipe.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize) })
}
