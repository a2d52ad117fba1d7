//go:build !unix

package workspace

// openNonblock is zero where a path cannot be a named pipe.
const openNonblock = 0
