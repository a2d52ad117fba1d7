package child

import (
	"os"
	"os/signal"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// family are the guards of this process. A guard is started with the lock held
// for reading, so that whoever holds it for writing knows them all.
var family struct {
	sync.RWMutex
	guards sync.Map // process ids
	adopts sync.Once
}

// adopt makes the orphans among all descendants children of this process, but
// for those that a guard adopts: what a guard leaves behind that was killed can
// be found then.
func adopt() {
	family.adopts.Do(func() {
		// It cannot fail on any kernel that Go supports.
		_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	})
}

// startGuard starts the guard, and watches whether it runs.
func (p *process) startGuard() error {
	adopt()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, unix.SIGCHLD) // before there is something to miss
	family.RLock()
	defer family.RUnlock()
	if err := p.guard.Start(); err != nil {
		signal.Stop(signals)
		return err
	}
	family.guards.Store(p.guard.Process.Pid, nil)
	go p.watch(signals)
	return nil
}

// waitGuard waits for the guard's end. Its own status says nothing.
func (p *process) waitGuard() {
	_ = p.guard.Wait()
	family.guards.Delete(p.guard.Process.Pid)
	close(p.watched)
}

// watch kills a guard that somebody stops: it could neither pass on what happens
// nor end anything. What it leaves behind is looked for as with any guard that
// was killed.
func (p *process) watch(signals chan os.Signal) {
	defer signal.Stop(signals)
	for {
		select {
		case <-signals:
		case <-p.watched:
			return
		}
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, p.guard.Process.Pid, &info, unix.WSTOPPED|unix.WNOHANG, nil)
		if err == nil && info.Signo != 0 {
			p.halted.Store(true)
			_ = p.guard.Process.Kill()
		}
	}
}

// killStrays kills and reaps the children that this process has adopted, and
// what descends from them, until there are none, or killLimit is over.
func killStrays() {
	const shortest, longest = time.Millisecond, 50 * time.Millisecond
	limit := time.Now().Add(killLimit)
	for pause := shortest; time.Now().Before(limit); pause = min(2*pause, longest) {
		if !lookForStrays() {
			return
		}
		time.Sleep(pause)
	}
}

// lookForStrays kills those that there are now; false where there are none.
func lookForStrays() bool {
	family.Lock()
	defer family.Unlock()
	strays := adopted()
	for _, pid := range strays {
		for _, descendant := range append(descendants(pid), pid) {
			// Failing means that it is gone, or that the next look fails too.
			_ = unix.Kill(descendant, unix.SIGKILL)
		}
		var status unix.WaitStatus
		_, _ = unix.Wait4(pid, &status, unix.WNOHANG, nil)
	}
	return len(strays) > 0
}

// adopted lists the children of this process that it has not started itself:
// they are in other sessions, for each guard begins one, and are no guards.
func adopted() []int {
	own, err := unix.Getsid(0)
	if err != nil {
		return nil
	}
	var strays []int
	for _, pid := range childrenOfAll()[os.Getpid()] {
		if _, guard := family.guards.Load(pid); guard {
			continue
		}
		if session, err := unix.Getsid(pid); err == nil && session != own {
			strays = append(strays, pid)
		}
	}
	return strays
}
