//go:build !unix

package cli

import (
	"context"
	"os"
)

// watchOutput does nothing where output cannot be watched. A closed output is
// noticed at the next write.
func watchOutput(*os.File, context.CancelCauseFunc) (watch func()) { return func() {} }

// takeStdout takes stdout away from the rest of the program: only the protocol
// may be written to it, whatever a library prints. A write to a nil file is an
// error.
func takeStdout() (*os.File, error) {
	out := os.Stdout
	os.Stdout = nil
	return out, nil
}
