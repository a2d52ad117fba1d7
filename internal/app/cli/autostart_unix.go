//go:build unix

package cli

import "syscall"

// detached returns the attributes of a process that outlives this one and its terminal.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
