//go:build !unix

package cli

import (
	"context"
	"os"
)

// watchOutput does nothing: output can't be watched on this system. A closed output is
// noticed at the next write.
func watchOutput(*os.File, context.CancelCauseFunc) (watch func()) { return func() {} }

// takeStdout takes stdout away from the rest of the program, because only protocol
// messages may be written to it, whatever a library prints. Writing to a nil file returns
// an error.
func takeStdout() (*os.File, error) {
	out := os.Stdout
	os.Stdout = nil
	return out, nil
}
