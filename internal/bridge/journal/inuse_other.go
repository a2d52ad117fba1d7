//go:build !windows

package journal

// removesOpenFiles is set if a file can be removed while it is open.
const removesOpenFiles = true

// isInUse reports whether a file could not be removed because it is open.
func isInUse(error) bool { return false }
