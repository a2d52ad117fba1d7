//go:build !unix

package textfile

// openNonblock is zero where a path cannot be a named pipe.
const openNonblock = 0
