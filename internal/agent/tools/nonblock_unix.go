//go:build unix

package tools

import "syscall"

// openNonblock keeps open from waiting for the other end, in case a named pipe
// has replaced a file.
const openNonblock = syscall.O_NONBLOCK
