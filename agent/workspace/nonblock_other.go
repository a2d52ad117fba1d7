//go:build !unix

package workspace

// openNonblock is nothing where a path cannot be a named pipe.
const openNonblock = 0
