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
	// killLimit is how long processes may take to die after SIGKILL.
	killLimit = 2 * time.Second
	// minLooks is the minimum number of looks within killLimit: on a busy machine a
	// single look at the process table can take that long.
	minLooks = 4
)

// A chase ends when no new process was found for killLimit. Processes that don't die
// of SIGKILL within that time can't be killed.
type chase struct {
	found  map[int]bool
	since  time.Time // when the last new process was found
	rounds int       // number of looks since then
}

func newChase(now time.Time) *chase { return &chase{found: make(map[int]bool), since: now} }

// seen records the processes that a look found, and reports whether to look again.
func (c *chase) seen(now time.Time, pids ...int) bool {
	c.rounds++
	for _, pid := range pids {
		if !c.found[pid] {
			c.found[pid] = true
			c.since, c.rounds = now, 0
		}
	}
	return c.rounds < minLooks || now.Sub(c.since) < killLimit
}

// The minimum and maximum pause between two looks.
const shortestPause, longestPause = time.Millisecond, 50 * time.Millisecond

// killDescendants kills all descendants of a process, until none are left or the rest
// can't be killed. One look is not enough: a process may start another one just before
// it is killed. The caller reaps.
func killDescendants(root int) {
	c := newChase(time.Now())
	for pause := shortestPause; ; pause = min(2*pause, longestPause) {
		found := descendants(root)
		for _, pid := range found {
			// On failure, it is gone, or the next look fails too.
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		if !c.seen(time.Now(), found...) {
			return
		}
		time.Sleep(pause)
	}
}

// descendants lists all processes below root, parents first. It can miss some while
// others are ending.
func descendants(root int) []int {
	children := lookAround()
	found := children(root)
	for i := 0; i < len(found); i++ {
		found = append(found, children(found[i])...)
	}
	return found
}

// lookAround returns a function that lists the children of a process.
func lookAround() (children func(pid int) []int) {
	if listsChildren() {
		return childrenOf
	}
	all := childrenOfAll()
	return func(pid int) []int { return all[pid] }
}

// listsChildren reports whether the kernel lists the children of a process. Kernels
// configured like those of distributions do. The alternative is to read the whole
// process table, which takes quadratic time if many guards end at once.
var listsChildren = sync.OnceValue(func() bool {
	_, err := os.Stat("/proc/thread-self/children")
	return err == nil
})

// childrenOf lists the children of a process, collected from all its threads.
func childrenOf(pid int) (children []int) {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task"
	dir, err := os.Open(tasks)
	if err != nil {
		return nil // the process has ended
	}
	defer dir.Close()
	threads, _ := dir.Readdirnames(-1) // use what was read before an error
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

// childrenOfAll reads the process table. It skips processes that end while it runs.
func childrenOfAll() map[int][]int {
	children := make(map[int][]int)
	proc, err := os.Open("/proc")
	if err != nil {
		return children
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1) // use what was read before an error
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

// parentIn extracts the parent's id from a line of /proc/PID/stat: the second field
// after the name, which is in parentheses and may contain anything.
func parentIn(stat []byte) (int, bool) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return parent, err == nil
}
