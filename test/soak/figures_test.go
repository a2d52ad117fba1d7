//go:build unix

package soak

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// figures are a server's memory, descriptors, threads, goroutines and processes, and the
// journal that it has written. They are zero on systems without /proc.
type figures struct {
	memory      int // kB
	descriptors int
	threads     int
	goroutines  int // 0 if they are not traced
	processes   int // of agents
	journal     int64
}

// String implements [fmt.Stringer].
func (f figures) String() string {
	return fmt.Sprintf("%d MB, %d descriptors, %d threads, %d goroutines, %d agents, %d MB of journal",
		f.memory>>10, f.descriptors, f.threads, f.goroutines, f.processes, f.journal>>20)
}

func (s *server) figures() (f figures) {
	proc := filepath.Join("/proc", strconv.Itoa(s.cmd.Process.Pid))
	status, err := os.ReadFile(filepath.Join(proc, "status"))
	if err != nil {
		return f
	}
	for line := range strings.Lines(string(status)) {
		_, _ = fmt.Sscanf(line, "VmRSS: %d", &f.memory)
		_, _ = fmt.Sscanf(line, "Threads: %d", &f.threads)
	}
	open, _ := os.ReadDir(filepath.Join(proc, "fd")) // empty if the process has ended
	f.descriptors = len(open)
	f.processes = s.agents()
	f.goroutines, _ = s.trace.last()
	_ = filepath.WalkDir(s.state, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil { // it may have been removed
				f.journal += info.Size()
			}
		}
		return nil
	})
	return f
}

// agents returns the number of the agents' processes.
func (s *server) agents() (n int) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range all {
		text, _ := os.ReadFile(name) // the process may have ended
		if bytes.Contains(text, []byte(agentArgument+"\x00"+s.records)) && !bytes.Contains(text, []byte("serve\x00")) && !bytes.Contains(text, []byte("child-guard\x00")) {
			n++
		}
	}
	return n
}
