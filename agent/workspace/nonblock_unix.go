//go:build unix

package workspace

import "syscall"

// openNonblock keeps open from waiting for the other end, should a named pipe
// have taken the place of a file.
const openNonblock = syscall.O_NONBLOCK
