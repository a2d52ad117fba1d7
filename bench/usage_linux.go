package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns the processor time used by a running process, without its children.
// /proc only has it in steps of 10 ms; the process's clock has it in nanoseconds.
func cpuTime(pid int) (time.Duration, error) {
	// The number of another process's clock in the kernel, as computed by
	// clock_getcpuclockid(3).
	const schedClock = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|schedClock), &t); err != nil {
		return 0, fmt.Errorf("processor time of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// peakMemory returns the peak resident memory of a running process, in bytes.
func peakMemory(pid int) (int64, error) {
	kib, err := procField(pid, "status", "VmHWM")
	return kib << 10, err
}

// residentMemory returns the resident memory of a running process, in bytes.
func residentMemory(pid int) (int64, error) {
	kib, err := procField(pid, "status", "VmRSS")
	return kib << 10, err
}

// writeCalls returns the number of write system calls of a running process.
func writeCalls(pid int) (int64, error) { return procField(pid, "io", "syscw") }

// procField reads one number from a file of "name: number" lines.
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
