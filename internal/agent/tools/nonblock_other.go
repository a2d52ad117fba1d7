//go:build !unix

package tools

// openNonblock is zero on systems where a path can't be a named pipe.
const openNonblock = 0
