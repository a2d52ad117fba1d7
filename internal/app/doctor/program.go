package doctor

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

// program checks the binary itself.
func (x *examination) program(context.Context) {
	x.report(OK, "version", x.Version, "")
	x.report(OK, "path", x.Program, "")
	switch path, err := x.Machine.LookPath("turnwire"); {
	case err != nil:
		x.report(Note, "PATH", "does not contain turnwire", "Editors use the full path. For the terminal, add "+filepath.Dir(x.Program)+" to PATH.")
	case !sameFile(path, x.Program):
		x.report(Warning, "PATH", "contains another turnwire: "+path, "Remove the one you do not want.")
	default:
		x.report(OK, "PATH", "contains this one", "")
	}
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// isTurnwire reports whether a program is called turnwire. Only such a program is asked
// for its version.
func isTurnwire(path string) bool {
	return strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe") == "turnwire"
}

// versionTimeout limits how long another program may take to print its version.
const versionTimeout = 10 * time.Second

// versionOf asks another turnwire for its version.
func versionOf(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	c, err := child.Start(child.Spec{Args: []string{path, "version"}})
	if err != nil {
		return "", err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, c.Kill)
	defer stop()
	output, err := io.ReadAll(io.LimitReader(c.Stdout(), 4096))
	c.Kill() // a program that is still running is not printing its version
	var version string
	if _, scanErr := fmt.Sscanf(string(output), "turnwire %s", &version); err != nil || scanErr != nil {
		return "", fmt.Errorf("%s does not print its version", path)
	}
	return version, nil
}
