//go:build unix

package soak

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

var (
	seed     = flag.Uint64("soak.seed", 0, "the `seed` of all choices; 0 means a new one")
	sessions = flag.Int("soak.sessions", 4, "run at least this `number` of sessions")
	rounds   = flag.Int("soak.rounds", 1, "the `number` of times that clients prompt in a session")
	open     = flag.Int("soak.open", 200, "the largest `number` of sessions at once")
	duration = flag.Duration("soak.duration", 0, "run sessions for at least this `time`")
)

// binary is the built program.
var binary string

// patience is how long something may take. It only ends tests that hang: a client may meet
// several faults, one after the other, before it gets through.
const patience = 5 * time.Minute

// TestMain builds the program, unless this process is one of the agents.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == agentArgument {
		runAgent(os.Args[2])
		return
	}
	flag.Parse()
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "turnwire-soak-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "turnwire")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/turnwire/turnwire").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}
