// Mutations shows that the simulation finds defects. It puts deliberate defects into the
// source code, one at a time, and runs the simulated worlds with each of them:
//
//	go run ./test/sim/mutations [NAME...]
//
// It exits with an error if the worlds don't find one of the defects. The files
// themselves stay as they are: the compiler reads the changed ones from a folder.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// limit is how long worlds may run until one of them finds the defect, on a machine that
// does nothing else. It is measured in processor time, so other work does not matter.
const limit = time.Minute

func main() {
	missed := 0
	for _, m := range mutations {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], m.name) {
			continue
		}
		law, took, err := m.run()
		switch {
		case err != nil:
			fmt.Printf("%-36s can't be tried: %v\n", m.name, err)
			missed++
		case law == "":
			fmt.Printf("%-36s %5.1f s  MISSED\n", m.name, took.Seconds())
			missed++
		default:
			fmt.Printf("%-36s %5.1f s  %s\n", m.name, took.Seconds(), law)
		}
	}
	if missed > 0 {
		os.Exit(1)
	}
}

// A mutation is a deliberate defect: in a file, one text is replaced by another.
type mutation struct{ name, file, old, changed string }

// broken matches the message of a broken law.
var broken = regexp.MustCompile(`seed \d+ breaks the law "[^"]*"`)

// run runs the worlds with the defect. It returns the law that was broken, or "", and how
// long that took.
func (m *mutation) run() (law string, took time.Duration, err error) {
	folder, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return "", 0, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // it is temporary
	program, err := m.build(folder)
	if err != nil {
		return "", 0, err
	}
	processors := runtime.NumCPU()
	seconds := int(limit.Seconds()) * processors
	worlds := exec.Command("sh", "-c", fmt.Sprintf(`ulimit -t %d; exec "$0" "$@"`, seconds), //nolint:gosec // our own program
		program, "-test.failfast", "-test.run", "^TestWorlds$", "-test.timeout", "0", "-sim.seeds", "100000")
	worlds.Dir = filepath.Join("test", "sim")
	out, err := worlds.CombinedOutput()
	used := worlds.ProcessState.UserTime() + worlds.ProcessState.SystemTime()
	took = used / time.Duration(processors)
	if law := broken.Find(out); law != nil {
		return string(law), took, nil
	}
	if strings.Contains(string(out), "panic:") {
		return "a panic", took, nil
	}
	if used.Seconds() >= float64(seconds)-1 {
		return "", took, nil
	}
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		return "", took, fmt.Errorf("%w: %s", err, out[max(0, len(out)-2000):])
	}
	return "", took, err
}

// build builds the worlds with the defect, in a folder. It returns the program.
func (m *mutation) build(folder string) (program string, err error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return "", fmt.Errorf("%s contains the old text %d times", m.file, n)
	}
	changed := filepath.Join(folder, "changed.go")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), m.old, m.changed, 1)), 0o600); err != nil {
		return "", err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		return "", err
	}
	program = filepath.Join(folder, "sim.test")
	build := exec.Command("go", "test", "-c", "-o", program, "-overlay", overlay, "./test/sim") //nolint:gosec // our own files
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return program, nil
}
