package child

import (
	"errors"
	"math"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// A guard's additional descriptors, after the standard ones.
const (
	controlDescriptor = 3
	recordsDescriptor = 4
)

// guardReady reports that this program can act as its own guard.
var guardReady atomic.Bool

// RunGuard must be called at the very start of main, and of every TestMain
// whose tests start children. In a process that was started as a guard, it
// does the guard's work and exits. Otherwise it returns at once.
func RunGuard() {
	guardReady.Store(true)
	// The arguments are guardArgument, directory, path and at least the
	// command's name.
	if len(os.Args) < 5 || os.Args[1] != guardArgument || os.Getenv(guardVariable) == "" {
		return
	}
	g := guard{
		control: os.NewFile(controlDescriptor, "control"),
		records: os.NewFile(recordsDescriptor, "records"),
	}
	g.run(os.Args[2], os.Args[3], os.Args[4:])
}

type guard struct {
	control, records *os.File
	group            int         // the command's process id and process group
	reaped           atomic.Bool // the command has ended: its id may be reused
	finish           sync.Once
	status           atomic.Uint32 // the command's wait status
	kill             sync.Once
}

// run never returns. It stays on one thread: the kernel kills the command when
// the thread that started it ends, so that thread must live as long as the
// guard.
func (g *guard) run(dir, path string, args []string) {
	runtime.LockOSThread()
	keepDescriptors()
	// Prctl can't fail on any kernel that Go supports, so its error is
	// ignored. Even without adoption, the guard would kill what it finds.
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	_ = os.WriteFile("/proc/self/comm", []byte("turnwire-guard"), 0) // for people who list processes

	signals := make(chan os.Signal, 8)
	signal.Notify(signals, unix.SIGTERM, unix.SIGINT, unix.SIGHUP, unix.SIGQUIT)
	pid, err := syscall.ForkExec(path, args, &syscall.ProcAttr{
		Dir:   dir,
		Env:   withoutGuardVariable(os.Environ()),
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		g.report(recordFailed, uint32(errnoOf(err)))
		syscall.Exit(1)
	}
	letGoOfStreams()
	g.group = pid
	g.report(recordStarted, uint32(pid))
	go g.forward(signals)
	go g.watchParent()
	g.reap()
}

// keepDescriptors prevents the command from inheriting the guard's
// descriptors, and those that Turnwire's own parent forgot to close.
func keepDescriptors() {
	if unix.CloseRange(controlDescriptor, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC) != nil {
		unix.CloseOnExec(controlDescriptor) // for kernels before 5.11
		unix.CloseOnExec(recordsDescriptor)
	}
}

// letGoOfStreams closes the guard's pipe ends, so that only the command holds
// them.
func letGoOfStreams() {
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	for fd := range 3 {
		if err != nil || unix.Dup3(null, fd, 0) != nil {
			_ = unix.Close(fd)
		}
	}
}

// forward passes SIGTERM on to the command's group. It ignores SIGINT and the
// like, which a terminal sends to its foreground group: Turnwire itself
// decides what to end then.
func (g *guard) forward(signals <-chan os.Signal) {
	for s := range signals {
		if s == unix.SIGTERM && !g.reaped.Load() {
			_ = unix.Kill(-g.group, unix.SIGTERM)
		}
	}
}

// watchParent kills everything when the parent asks for it or is gone.
func (g *guard) watchParent() {
	var b [1]byte
	for {
		if n, err := g.control.Read(b[:]); n == 0 || err != nil {
			break
		}
	}
	g.killAll()
}

func (g *guard) killAll() {
	g.kill.Do(func() {
		killDescendants(os.Getpid())
		// The rest can't be killed: programs of another user, or processes
		// stuck in the kernel. Waiting for them would help nobody.
		g.exit()
	})
}

// reap reaps the command and every orphan that the guard adopted. When no
// child is left, no descendant is left, because the chain of living parents of
// every descendant ends at a child of the guard.
func (g *guard) reap() {
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			g.exit()
		case pid == g.group:
			g.status.Store(uint32(status))
			g.reaped.Store(true)
			// Its descendants may not outlive it. Without any, reap ends
			// before killAll first looks for them.
			go g.killAll()
		}
	}
}

// exit reports how the command ended, and ends the guard. It does not call
// os.Exit, which waits in instrumented programs (with the race detector for a
// second), because the parent waits for the guard to end.
func (g *guard) exit() {
	g.finish.Do(func() {
		if g.reaped.Load() {
			g.report(recordEnded, g.status.Load())
		}
		syscall.Exit(0)
	})
}

// report sends a record to the parent. If the parent is gone, nobody needs it.
func (g *guard) report(kind recordKind, value uint32) {
	_ = writeRecord(g.records, record{kind, value})
}

func withoutGuardVariable(env []string) []string {
	return slices.DeleteFunc(env, func(v string) bool {
		return strings.HasPrefix(v, guardVariable+"=")
	})
}

func errnoOf(err error) syscall.Errno {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno
	}
	return syscall.EIO
}
