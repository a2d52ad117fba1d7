//go:build unix

package e2e

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/internal/test/limits"
)

const patience = limits.Patience

// The built binaries: one with the race detector, and one as users run it, whose
// memory can be measured.
var binary, plainBinary string

// TestMain builds the binaries, unless this process is one of the agents.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == agentArgument {
		runAgent(os.Args[2], os.Args[3:])
		return
	}
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "turnwire-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	// Don't mix the tests' sessions with the user's own.
	if err := os.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	plainBinary = filepath.Join(dir, "turnwire")
	binary = filepath.Join(dir, "turnwire-race")
	err = build(plainBinary)
	if err == nil && haveRaceDetector() {
		err = build(binary, "-race")
	} else {
		binary = plainBinary
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := runTogether(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// runTogether runs up to eight tests at once, unless the command line sets another
// number: they mostly wait for processes.
func runTogether() error {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if asked {
		return nil
	}
	return flag.Set("test.parallel", "8")
}

func build(to string, flags ...string) error {
	args := append(append([]string{"build"}, flags...), "-o", to, "github.com/turnwire/turnwire")
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// haveRaceDetector reports whether cgo and a C compiler are available, which the
// race detector needs.
func haveRaceDetector() bool {
	out, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output()
	fields := strings.Fields(string(out))
	if err != nil || len(fields) < 2 || fields[0] != "1" {
		return false
	}
	_, err = exec.LookPath(fields[1])
	return err == nil
}
