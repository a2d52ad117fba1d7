package child

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	guardVariable = "TURNWIRE_CHILD_GUARD"
	guardArgument = "child-guard"

	// guardLimit is how long a guard may live after it was told to kill. Guards give
	// up earlier, even on a busy machine, and stopped guards are killed at once. What
	// a killed guard leaves behind dies only if this process lives.
	guardLimit = 15 * killLimit
)

var (
	errNoRunGuard = errors.New("child.RunGuard was not called by main")
	errGuardLost  = errors.New("the guard exited without a message")
	errGuardHalt  = errors.New("the guard was stopped")
)

// process is a command under its guard.
type process struct {
	guard   *os.Process
	control *os.File // closing it tells the guard to kill
	records *os.File
	group   int // the command's process group
	overdue atomic.Pointer[time.Timer]
	halted  atomic.Bool // the guard was stopped by a signal
}

func startProcess(path string, s Spec, files [3]*os.File) (_ *process, err error) {
	if !guardReady.Load() {
		// Without RunGuard, the guard would be the whole program again, which would
		// start its own children, and so on.
		return nil, errNoRunGuard
	}
	guardControl, control, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer guardControl.Close()
	records, guardRecords, err := os.Pipe()
	if err != nil {
		_ = control.Close()
		return nil, err
	}
	defer guardRecords.Close()
	p := &process{control: control, records: records}
	guard := &exec.Cmd{
		// This path leads to our binary even if its file was replaced.
		Path: "/proc/self/exe",
		Args: append([]string{"turnwire", guardArgument, s.Dir, path}, s.Args...),
		Env:  append(slices.Clip(s.Env), guardVariable+"=1"),
		Dir:  "/", // don't keep a directory in use
		// The order must match the descriptors in guard_linux.go.
		Stdin:      files[0],
		Stdout:     files[1],
		Stderr:     files[2],
		ExtraFiles: []*os.File{guardControl, guardRecords},
		// In a new session, so that neither Ctrl-C nor a kill of our process group
		// reaches the guard.
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	if err := p.startGuard(guard); err != nil {
		p.close()
		return nil, fmt.Errorf("guard: %w", err)
	}
	_ = guardRecords.Close() // so that records reaches EOF when the guard ends
	if err := p.started(path); err != nil {
		p.close()
		p.waitGuard() // a guard whose command does not run ends at once
		if _, notRun := errors.AsType[*fs.PathError](err); !notRun {
			killStrays() // the command may be running
		}
		return nil, err
	}
	return p, nil
}

// started waits until the guard has started the command, or has failed to.
func (p *process) started(path string) error {
	r, err := readRecord(p.records)
	switch {
	case err != nil:
		return fmt.Errorf("guard ended before its command: %w", err)
	case r.kind == recordFailed:
		return &fs.PathError{Op: "exec", Path: path, Err: syscall.Errno(r.value)}
	}
	p.group = int(r.value)
	return nil
}

// wait returns when the command and all its descendants have ended.
func (p *process) wait() ExitStatus {
	r, err := readRecord(p.records)
	p.waitGuard()
	if timer := p.overdue.Load(); timer != nil {
		timer.Stop()
	}
	p.close()
	if err != nil {
		// The guard gave up or was killed. Either way, the kernel has killed the
		// command, and all other descendants have become children of this process.
		killStrays()
		if p.halted.Load() {
			return ExitStatus{Code: -1, Err: errGuardHalt}
		}
		return ExitStatus{Code: -1, Err: errGuardLost}
	}
	return statusOf(syscall.WaitStatus(r.value))
}

// terminate sends SIGTERM to the command's process group.
func (p *process) terminate() bool { return p.guard.Signal(syscall.SIGTERM) == nil }

// kill makes the guard kill every descendant. It is called once.
func (p *process) kill() {
	_ = p.control.Close()
	p.overdue.Store(time.AfterFunc(guardLimit, func() { _ = p.guard.Kill() }))
}

func (p *process) close() {
	_ = p.control.Close()
	_ = p.records.Close()
}
