//go:build !windows

package terminal

import "io"

// controlSequences does nothing: terminals on these systems support control sequences.
func controlSequences(io.Writer) (undo func()) { return func() {} }
