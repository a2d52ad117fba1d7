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

// The descriptors that a guard is started with, after the standard ones.
const (
	controlDescriptor = 3
	recordsDescriptor = 4
)

// guardReady says that this program can be its own guard.
var guardReady atomic.Bool

// RunGuard must be called at the very start of main, and of every TestMain
// whose tests start children. In a process that was started as a guard it does
// the guard's work and exits; in all others it returns at once.
func RunGuard() {
	guardReady.Store(true)
	// guard argument, directory, path and at least the command's name
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
	group            int         // the command's process id and group
	reaped           atomic.Bool // the command has ended: its id is free again
	finish           sync.Once
	status           atomic.Uint32 // the command's wait status
	kill             sync.Once
}

// run never returns. It stays on one thread: the kernel kills the command when
// the thread that started it ends, which thereby is when the guard ends.
func (g *guard) run(dir, path string, args []string) {
	runtime.LockOSThread()
	keepDescriptors()
	// What cannot fail on any kernel that Go supports needs no answer here:
	// without it the guard would still kill what it finds.
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	_ = os.WriteFile("/proc/self/comm", []byte("turnwire-guard"), 0) // for people who look

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

// keepDescriptors keeps the command from inheriting the guard's descriptors,
// and those that whoever started Turnwire forgot to close.
func keepDescriptors() {
	if unix.CloseRange(controlDescriptor, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC) != nil {
		unix.CloseOnExec(controlDescriptor) // a kernel before 5.11
		unix.CloseOnExec(recordsDescriptor)
	}
}

// letGoOfStreams makes the ends of the pipes those of the command alone.
func letGoOfStreams() {
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	for fd := range 3 {
		if err != nil || unix.Dup3(null, fd, 0) != nil {
			_ = unix.Close(fd)
		}
	}
}

// forward passes SIGTERM on to the command's group. SIGINT and the like are
// for the foreground of a terminal, where Turnwire itself decides what ends.
func (g *guard) forward(signals <-chan os.Signal) {
	for s := range signals {
		if s == unix.SIGTERM && !g.reaped.Load() {
			_ = unix.Kill(-g.group, unix.SIGTERM)
		}
	}
}

// watchParent kills everything when the parent says so or is gone.
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
		// They cannot be killed: programs of another user, or stuck in the
		// kernel. Nobody is helped by waiting for them.
		g.exit()
	})
}

// reap collects the command and every orphan that the guard has adopted. No
// child left means no descendant left, for a descendant has a living parent
// that is one too, up to a child of the guard.
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
			// Its descendants may not outlive it. Without any this is over
			// before the first look at them.
			go g.killAll()
		}
	}
}

// exit reports how the command ended and ends the guard. What os.Exit would do
// beyond that is for programs that are watched while they run (the race
// detector waits a second), and the parent waits for the guard's end.
func (g *guard) exit() {
	g.finish.Do(func() {
		if g.reaped.Load() {
			g.report(recordEnded, g.status.Load())
		}
		syscall.Exit(0)
	})
}

// report tells the parent; where it is gone, nobody needs to know.
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
