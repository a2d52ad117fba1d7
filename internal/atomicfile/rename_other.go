//go:build !windows

package atomicfile

import "os"

// rename replaces the file at path, even while others have it open.
func rename(from, path string) error { return os.Rename(from, path) }
