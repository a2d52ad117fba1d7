package child

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// killLimit is how long processes may take to die of SIGKILL.
const killLimit = 2 * time.Second

// killDescendants kills all that descends from a process until nothing does,
// or killLimit is over. One look is not enough: who is killed between two
// steps of its own may just have started another. The caller reaps.
func killDescendants(root int) {
	const shortest, longest = time.Millisecond, 50 * time.Millisecond
	limit := time.Now().Add(killLimit)
	for pause := shortest; time.Now().Before(limit); pause = min(2*pause, longest) {
		for _, pid := range descendants(root) {
			// Failing means that it is gone, or that the next look fails too.
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		time.Sleep(pause)
	}
}

// descendants lists all processes below root, parents first.
func descendants(root int) []int {
	children := childrenOfAll()
	found := children[root]
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i]]...)
	}
	return found
}

// childrenOfAll reads the process table. Processes that end meanwhile are left
// out.
func childrenOfAll() map[int][]int {
	children := make(map[int][]int)
	proc, err := os.Open("/proc")
	if err != nil {
		return children
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1) // what was read before an error counts
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		if parent, ok := parentIn(stat); ok {
			children[parent] = append(children[parent], pid)
		}
	}
	return children
}

// parentIn finds the parent's id in a line of /proc/PID/stat: the second field
// after the name, which stands in brackets and may hold anything.
func parentIn(stat []byte) (int, bool) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return parent, err == nil
}
