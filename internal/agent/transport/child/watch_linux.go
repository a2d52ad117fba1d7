package child

import (
	"os"
	"os/exec"
	"os/signal"
	"sync"

	"golang.org/x/sys/unix"
)

// guards holds the guards of this process.
var guards struct {
	adopt sync.Once
	// starting is held for reading while a guard is started, so that a holder
	// for writing knows all guards.
	starting sync.RWMutex
	running  sync.Map // map from process id to *process

	mu      sync.Mutex
	watched int            // number of guards that are running or starting
	signals chan os.Signal // read by the watching goroutine; nil while no guard runs
}

// startGuard starts the guard and watches it.
func (p *process) startGuard(guard *exec.Cmd) error {
	adopt()
	signals := watchGuards() // subscribe before any signal can be missed
	guards.starting.RLock()
	defer guards.starting.RUnlock()
	if err := guard.Start(); err != nil {
		unwatchGuard()
		return err
	}
	p.guard = guard.Process // keep only the process: a session may wait for days
	guards.running.Store(p.guard.Pid, p)
	select {
	case signals <- unix.SIGCHLD: // check for signals that came before the guard was registered
	default:
	}
	return nil
}

// waitGuard waits for the guard to end. Its exit status carries no information.
func (p *process) waitGuard() {
	_, _ = p.guard.Wait()
	guards.running.Delete(p.guard.Pid)
	unwatchGuard()
}

// watchGuards adds a guard to watch. One goroutine watches all guards, while
// there are any.
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
		signal.Stop(guards.signals) // no signal is sent after this
		close(guards.signals)
		guards.signals = nil
	}
}

// endIfStopped kills a guard that was stopped by a signal, because it can
// neither report nor end anything. What it leaves behind is found as for any
// killed guard.
func (p *process) endIfStopped() {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, p.guard.Pid, &info, unix.WSTOPPED|unix.WNOHANG, nil)
	if err == nil && info.Signo != 0 {
		p.halted.Store(true)
		_ = p.guard.Kill()
	}
}
