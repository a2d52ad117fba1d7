package child

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// adopt makes this process adopt all orphaned descendants, except those that a
// guard adopts. So it can find what a killed guard leaves behind.
func adopt() {
	guards.adopt.Do(func() {
		// This can't fail on any kernel that Go supports.
		_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	})
}

// killStrays kills and reaps the children that this process adopted, and their
// descendants, until none are left or the rest can't be killed.
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

// lookForStrays kills the current strays, and returns them.
func lookForStrays() []int {
	guards.starting.Lock()
	defer guards.starting.Unlock()
	strays := adopted()
	for _, pid := range strays {
		for _, descendant := range append(descendants(pid), pid) {
			// On failure, it is gone, or the next look fails too.
			_ = unix.Kill(descendant, unix.SIGKILL)
		}
		var status unix.WaitStatus
		_, _ = unix.Wait4(pid, &status, unix.WNOHANG, nil)
	}
	return strays
}

// adopted lists the children that this process did not start itself: those that
// are in another session and are no guards. Only guards start new sessions.
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
