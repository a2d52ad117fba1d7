//go:build unix

package child

import "syscall"

func statusOf(w syscall.WaitStatus) ExitStatus {
	if w.Signaled() {
		return ExitStatus{Code: -1, Signal: w.Signal().String()}
	}
	return ExitStatus{Code: w.ExitStatus()}
}
