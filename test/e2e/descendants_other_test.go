//go:build unix && !linux

package e2e

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
)

var marks atomic.Int64

func newMark() string {
	return "turnwire-e2e-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(marks.Add(1), 10) + "." // no mark is part of another
}

// descendants lists the processes with a mark, if ps shows their
// environment.
func descendants(mark string) []string {
	out, _ := exec.Command("ps", "-axwwE", "-o", "pid,command").Output()
	var found []string
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, mark) {
			found = append(found, line)
		}
	}
	return found
}
