package child

import (
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

const (
	// killedCode is the exit code of killed processes, the same as
	// os.Process.Kill uses.
	killedCode = 1
	// drainLimit is how long to wait for killed processes to end. drainInterval
	// is the polling interval, because notifications from jobs are not reliable.
	drainLimit    = time.Second
	drainInterval = 2 * time.Millisecond
)

// A job is a job object. Whatever a member starts is also a member, and none can
// leave. This process has the only handle to it. When the handle is closed, even
// because this process was killed, the kernel kills all members.
type job struct {
	mu     sync.Mutex
	handle windows.Handle // 0 once closed
}

func newJob() (*job, error) {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("create a job: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		},
	}
	_, err = windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		_ = windows.CloseHandle(handle)
		return nil, fmt.Errorf("set the limits of a job: %w", err)
	}
	return &job{handle: handle}, nil
}

func (j *job) add(process windows.Handle) error {
	return windows.AssignProcessToJobObject(j.handle, process)
}

// kill kills all members. It does not wait for them to end.
func (j *job) kill() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.handle != 0 {
		_ = windows.TerminateJobObject(j.handle, killedCode)
	}
}

// drain waits until no member is left, at most for drainLimit: a process that
// hangs in a driver can't be killed.
func (j *job) drain() {
	for limit := time.Now().Add(drainLimit); j.members() > 0 && time.Now().Before(limit); {
		time.Sleep(drainInterval)
	}
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION of the Windows API.
type accounting struct {
	totalUserTime, totalKernelTime           int64
	thisPeriodUserTime, thisPeriodKernelTime int64
	pageFaults                               uint32
	total, active, terminated                uint32
}

// members returns the number of live processes in the job, or 0 if unknown.
func (j *job) members() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	var a accounting
	err := windows.QueryInformationJobObject(j.handle, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	if err != nil {
		return 0
	}
	return int(a.active)
}

func (j *job) close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.handle != 0 {
		_ = windows.CloseHandle(j.handle)
		j.handle = 0
	}
}

var errNoThread = errors.New("the new process has no thread")

// resume resumes a process that was started suspended. os/exec doesn't expose
// the handle of its thread, so resume looks the thread up.
func resume(pid uint32) error {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return fmt.Errorf("list the threads: %w", err)
	}
	defer func() { _ = windows.CloseHandle(snapshot) }()
	found := errNoThread
	var thread windows.ThreadEntry32
	thread.Size = uint32(unsafe.Sizeof(thread))
	for err = windows.Thread32First(snapshot, &thread); err == nil; err = windows.Thread32Next(snapshot, &thread) {
		if thread.OwnerProcessID != pid {
			continue
		}
		// Threads that others injected already run; resuming them is harmless.
		if found = resumeThread(thread.ThreadID); found != nil {
			return found
		}
	}
	return found
}

func resumeThread(id uint32) error {
	thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, id)
	if err != nil {
		return fmt.Errorf("open its thread: %w", err)
	}
	defer func() { _ = windows.CloseHandle(thread) }()
	if _, err := windows.ResumeThread(thread); err != nil {
		return fmt.Errorf("resume its thread: %w", err)
	}
	return nil
}
