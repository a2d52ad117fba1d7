//go:build unix && !linux

package child

import (
	"os"
	"os/exec"
	"syscall"
)

// process is a command in its own process group.
type process struct{ cmd *exec.Cmd }

func startProcess(path string, s Spec, files [3]*os.File) (*process, error) {
	p := &process{cmd: &exec.Cmd{
		Path:        path,
		Args:        s.Args,
		Env:         s.Env,
		Dir:         s.Dir,
		Stdin:       files[0],
		Stdout:      files[1],
		Stderr:      files[2],
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}}
	return p, p.cmd.Start()
}

// wait returns when the command has ended, and kills the rest of its group.
// The group's id can't be reused while the group has a member.
func (p *process) wait() ExitStatus {
	err := p.cmd.Wait()
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	if p.cmd.ProcessState == nil {
		return ExitStatus{Code: -1, Err: err}
	}
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok {
		return ExitStatus{Code: p.cmd.ProcessState.ExitCode()}
	}
	return statusOf(status)
}

// terminate sends SIGTERM to the command's process group.
func (p *process) terminate() bool { return p.signal(syscall.SIGTERM) }

// kill kills the command's process group.
func (p *process) kill() { p.signal(syscall.SIGKILL) }

func (p *process) signal(s syscall.Signal) bool {
	return p.cmd.Process.Signal(syscall.Signal(0)) == nil && // not reaped yet
		syscall.Kill(-p.cmd.Process.Pid, s) == nil
}
