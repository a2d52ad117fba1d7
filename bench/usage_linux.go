package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns the processor time that a running process has used, without
// that of its children. /proc has it in steps of 10 ms only; a clock of the
// process has it in nanoseconds.
func cpuTime(pid int) (time.Duration, error) {
	// How the kernel numbers the clock of another process:
	// clock_getcpuclockid(3) does the same.
	const schedClock = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|schedClock), &t); err != nil {
		return 0, fmt.Errorf("processor time of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// peakMemory returns the most resident memory that a running process ever had.
func peakMemory(pid int) (int64, error) {
	kib, err := procField(pid, "status", "VmHWM")
	return kib << 10, err
}

// residentMemory returns the resident memory of a running process.
func residentMemory(pid int) (int64, error) {
	kib, err := procField(pid, "status", "VmRSS")
	return kib << 10, err
}

// writeCalls returns the number of write system calls of a running process.
func writeCalls(pid int) (int64, error) { return procField(pid, "io", "syscw") }

// procField reads one number of a file of "name: number" lines.
func procField(pid int, file, name string) (int64, error) {
	path := fmt.Sprintf("/proc/%d/%s", pid, file)
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(data) {
		value, ok := bytes.CutPrefix(line, []byte(name+":"))
		if !ok {
			continue
		}
		if fields := bytes.Fields(value); len(fields) > 0 {
			return strconv.ParseInt(string(fields[0]), 10, 64)
		}
	}
	return 0, fmt.Errorf("%s: no %s", path, name)
}
