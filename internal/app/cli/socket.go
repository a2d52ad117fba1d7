package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/protocol/remote/local"
)

const defaultSocketHelp = "turnwire/serve.sock in your runtime folder, or a named pipe on Windows"

// defaultSocket returns the default address of "turnwire serve": a socket in
// XDG_RUNTIME_DIR, or in the state folder if that is unset. On Windows it is a named pipe
// of the user.
func defaultSocket() (string, error) {
	if pipe, err := local.UserPipe(); pipe != "" || err != nil {
		return pipe, err
	}
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "turnwire", "serve.sock"), nil
	}
	state, err := config.StateFolder()
	if err != nil {
		return "", fmt.Errorf("no folder for a socket: %w", err)
	}
	return filepath.Join(state, "serve.sock"), nil
}
