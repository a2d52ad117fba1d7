//go:build !windows

package terminal

import "io"

// controlSequences has nothing to do where every terminal knows them.
func controlSequences(io.Writer) (undo func()) { return func() {} }
