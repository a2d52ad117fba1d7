package journal

import (
	"errors"

	"golang.org/x/sys/windows"
)

// removesOpenFiles is set if a file can be removed while it is open.
const removesOpenFiles = false

// isInUse reports whether a file could not be removed because it is open.
func isInUse(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
