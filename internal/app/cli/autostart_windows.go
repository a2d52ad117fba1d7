package cli

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// detached returns the attributes of a process that outlives this one and its terminal.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS, HideWindow: true}
}
