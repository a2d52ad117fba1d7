//go:build !unix

package workspace

// openNonblock is zero on systems where a path can't be a named pipe.
const openNonblock = 0
