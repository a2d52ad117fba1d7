package child

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// killLimit is how long processes may take to die of SIGKILL.
	killLimit = 2 * time.Second
	// minLooks are made before that is over, too: on a busy machine a look at the
	// process table can take as long.
	minLooks = 4
)

// A chase ends when no process was found for killLimit that was not found before: what
// does not die of SIGKILL then cannot be killed.
type chase struct {
	found map[int]bool
	since time.Time // when the last new one was found
	looks int       // since then
}

func newChase(now time.Time) *chase { return &chase{found: make(map[int]bool), since: now} }

// seen notes the processes that a look has found, and reports whether to look again.
func (c *chase) seen(now time.Time, pids ...int) bool {
	c.looks++
	for _, pid := range pids {
		if !c.found[pid] {
			c.found[pid] = true
			c.since, c.looks = now, 0
		}
	}
	return c.looks < minLooks || now.Sub(c.since) < killLimit
}

// The pause between two looks.
const shortestPause, longestPause = time.Millisecond, 50 * time.Millisecond

// killDescendants kills all that descends from a process until nothing does, or what
// is left cannot be killed. One look is not enough: who is killed between two steps of
// its own may just have started another. The caller reaps.
func killDescendants(root int) {
	c := newChase(time.Now())
	for pause := shortestPause; ; pause = min(2*pause, longestPause) {
		found := descendants(root)
		for _, pid := range found {
			// Failing means that it is gone, or that the next look fails too.
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		if !c.seen(time.Now(), found...) {
			return
		}
		time.Sleep(pause)
	}
}

// descendants lists all processes below root, parents first. A look can miss some
// while others end.
func descendants(root int) []int {
	children := lookAround()
	found := children(root)
	for i := 0; i < len(found); i++ {
		found = append(found, children(found[i])...)
	}
	return found
}

// lookAround returns what lists the children of a process.
func lookAround() (children func(pid int) []int) {
	if listsChildren() {
		return childrenOf
	}
	all := childrenOfAll()
	return func(pid int) []int { return all[pid] }
}

// listsChildren reports whether the kernel lists the children of a process. All do
// that are configured as distributions do it. To read the whole process table instead
// takes a time that grows with the square of the guards that end at once.
var listsChildren = sync.OnceValue(func() bool {
	_, err := os.Stat("/proc/thread-self/children")
	return err == nil
})

// childrenOf lists the children of a process: those that each of its threads has.
func childrenOf(pid int) (children []int) {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task"
	dir, err := os.Open(tasks)
	if err != nil {
		return nil // it has ended
	}
	defer dir.Close()
	threads, _ := dir.Readdirnames(-1) // what was read before an error counts
	for _, thread := range threads {
		list, err := os.ReadFile(tasks + "/" + thread + "/children")
		if err != nil {
			continue
		}
		for field := range bytes.FieldsSeq(list) {
			if child, err := strconv.Atoi(string(field)); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
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
