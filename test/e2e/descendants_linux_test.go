package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

var marks atomic.Int64

// newMark returns a text that no other process has in its environment. Without the
// dot at the end, the first mark would be part of the tenth.
func newMark() string { return fmt.Sprintf("turnwire-e2e-%d-%d.", os.Getpid(), marks.Add(1)) }

// descendants lists the living processes with a mark in their environment or
// arguments, wherever they are in the process tree.
func descendants(mark string) []string {
	var found []string
	dirs, _ := filepath.Glob("/proc/[0-9]*") // the pattern is valid
	for _, dir := range dirs {
		if filepath.Base(dir) == strconv.Itoa(os.Getpid()) {
			continue
		}
		// A process that has just exited can't be read, and doesn't count.
		environment, _ := os.ReadFile(filepath.Join(dir, "environ"))
		arguments, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if bytes.Contains(environment, []byte(mark)) || bytes.Contains(arguments, []byte(mark)) {
			found = append(found, dir+" "+string(bytes.ReplaceAll(arguments, []byte{0}, []byte(" "))))
		}
	}
	return found
}

// workingIn lists those with a given working directory.
func workingIn(dir, mark string) []string {
	return slices.DeleteFunc(descendants(mark), func(found string) bool {
		proc, _, _ := strings.Cut(found, " ")
		cwd, err := os.Readlink(filepath.Join(proc, "cwd"))
		return err != nil || cwd != dir
	})
}
