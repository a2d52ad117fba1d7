//go:build unix

package textfile

import "syscall"

// openNonblock keeps open from waiting for the other end, in case a named pipe
// has replaced a file.
const openNonblock = syscall.O_NONBLOCK
