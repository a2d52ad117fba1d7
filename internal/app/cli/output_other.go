//go:build !unix

package cli

import (
	"context"
	"os"
)

// watchOutput does nothing where output cannot be watched: a write finds out.
func watchOutput(*os.File, context.CancelCauseFunc) (watch func()) { return func() {} }

// takeStdout takes stdout away from everybody else: nothing but the protocol
// may be written to it, whatever a library thinks that it has to say. To write
// to a nil file is an error.
func takeStdout() (*os.File, error) {
	out := os.Stdout
	os.Stdout = nil
	return out, nil
}
