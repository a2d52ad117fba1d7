package child

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// adopt makes the orphans among all descendants children of this process, but
// for those that a guard adopts: what a guard leaves behind that was killed can
// be found then.
func adopt() {
	guards.adopt.Do(func() {
		// It cannot fail on any kernel that Go supports.
		_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	})
}

// killStrays kills and reaps the children that this process has adopted, and
// what descends from them, until there are none, or what is left cannot be killed.
func killStrays() {
	c := newChase(time.Now())
	for pause := shortestPause; ; pause = min(2*pause, longestPause) {
		strays := lookForStrays()
		if len(strays) == 0 || !c.seen(time.Now(), strays...) {
			return
		}
		time.Sleep(pause)
	}
}

// lookForStrays kills those that there are now, and returns them.
func lookForStrays() []int {
	guards.starting.Lock()
	defer guards.starting.Unlock()
	strays := adopted()
	for _, pid := range strays {
		for _, descendant := range append(descendants(pid), pid) {
			// Failing means that it is gone, or that the next look fails too.
			_ = unix.Kill(descendant, unix.SIGKILL)
		}
		var status unix.WaitStatus
		_, _ = unix.Wait4(pid, &status, unix.WNOHANG, nil)
	}
	return strays
}

// adopted lists the children of this process that it has not started itself:
// they are in other sessions, for each guard begins one, and are no guards.
func adopted() []int {
	own, err := unix.Getsid(0)
	if err != nil {
		return nil
	}
	var strays []int
	for _, pid := range lookAround()(os.Getpid()) {
		if _, guard := guards.running.Load(pid); guard {
			continue
		}
		if session, err := unix.Getsid(pid); err == nil && session != own {
			strays = append(strays, pid)
		}
	}
	return strays
}
