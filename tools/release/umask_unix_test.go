//go:build unix

package main

import (
	"syscall"
	"testing"
)

// restrictModes makes the files that a test creates private, as some users'
// settings do.
func restrictModes(t *testing.T) {
	t.Helper()
	old := syscall.Umask(0o077)
	t.Cleanup(func() { syscall.Umask(old) })
}
