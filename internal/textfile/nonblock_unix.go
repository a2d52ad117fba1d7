//go:build unix

package textfile

import "syscall"

// openNonblock keeps open from waiting for the other end if a named pipe replaced a file.
const openNonblock = syscall.O_NONBLOCK
