package sim

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"unsafe"
)

// schedIdle is the policy of threads that run only if a processor has nothing else to do.
const schedIdle = 5

// calmMonitor makes preemptions rare. Go's monitor thread preempts a goroutine that runs for
// 10 ms of real time, which happens often on a busy machine. The monitor is the first thread
// that Go starts. A failure only makes stories less repeatable.
func calmMonitor() {
	paths, err := filepath.Glob("/proc/self/task/*")
	if err != nil {
		return
	}
	var threads []int
	for _, path := range paths {
		if id, err := strconv.Atoi(filepath.Base(path)); err == nil && id != os.Getpid() {
			threads = append(threads, id)
		}
	}
	if len(threads) > 0 {
		var priority int32
		_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_SETSCHEDULER, uintptr(slices.Min(threads)), schedIdle, uintptr(unsafe.Pointer(&priority))) //nolint:gosec // the kernel only reads it
	}
}
