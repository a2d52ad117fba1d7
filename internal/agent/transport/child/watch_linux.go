package child

import (
	"os"
	"os/exec"
	"os/signal"
	"sync"

	"golang.org/x/sys/unix"
)

// guards are those of this process.
var guards struct {
	adopt sync.Once
	// A guard is started with this lock held for reading, so that whoever holds
	// it for writing knows them all.
	starting sync.RWMutex
	running  sync.Map // by process id: *process

	mu      sync.Mutex
	watched int            // guards that are started or being started
	signals chan os.Signal // of their watcher; nil while no guard runs
}

// startGuard starts the guard, and has it watched.
func (p *process) startGuard(guard *exec.Cmd) error {
	adopt()
	signals := watchGuards() // before there is something to miss
	guards.starting.RLock()
	defer guards.starting.RUnlock()
	if err := guard.Start(); err != nil {
		unwatchGuard()
		return err
	}
	p.guard = guard.Process // a session may wait for days, and the rest is not needed
	guards.running.Store(p.guard.Pid, p)
	select {
	case signals <- unix.SIGCHLD: // what came before it was known is looked for now
	default:
	}
	return nil
}

// waitGuard waits for the guard's end. Its own status says nothing.
func (p *process) waitGuard() {
	_, _ = p.guard.Wait()
	guards.running.Delete(p.guard.Pid)
	unwatchGuard()
}

// watchGuards has a guard more be watched. One goroutine watches all of them, as
// long as there are some.
func watchGuards() chan<- os.Signal {
	guards.mu.Lock()
	defer guards.mu.Unlock()
	if guards.watched++; guards.watched == 1 {
		signals := make(chan os.Signal, 1)
		guards.signals = signals
		signal.Notify(signals, unix.SIGCHLD)
		go func() {
			for range signals {
				guards.running.Range(func(_, p any) bool {
					p.(*process).endIfStopped()
					return true
				})
			}
		}()
	}
	return guards.signals
}

func unwatchGuard() {
	guards.mu.Lock()
	defer guards.mu.Unlock()
	if guards.watched--; guards.watched == 0 {
		signal.Stop(guards.signals) // nothing is sent after that
		close(guards.signals)
		guards.signals = nil
	}
}

// endIfStopped kills a guard that somebody has stopped: it could neither pass on
// what happens nor end anything. What it leaves behind is looked for as with any
// guard that was killed.
func (p *process) endIfStopped() {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, p.guard.Pid, &info, unix.WSTOPPED|unix.WNOHANG, nil)
	if err == nil && info.Signo != 0 {
		p.halted.Store(true)
		_ = p.guard.Kill()
	}
}
