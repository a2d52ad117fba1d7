//go:build !windows

package terminal

import "io"

// controlSequences does nothing: every terminal here knows control sequences.
func controlSequences(io.Writer) (undo func()) { return func() {} }
