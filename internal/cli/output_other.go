//go:build !unix

package cli

import (
	"context"
	"os"
)

// watchOutput does nothing where output cannot be watched: a write finds out.
func watchOutput(*os.File, context.CancelCauseFunc) {}
