package child

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// process is a command in its own job.
type process struct {
	cmd *exec.Cmd
	job *job
}

// startProcess starts the command suspended, so that it can't start anything
// before it is in the job.
func startProcess(path string, s Spec, files [3]*os.File) (*process, error) {
	j, err := newJob()
	if err != nil {
		return nil, err
	}
	p := &process{job: j, cmd: &exec.Cmd{
		Path:   path,
		Args:   s.Args,
		Env:    s.Env,
		Dir:    s.Dir,
		Stdin:  files[0],
		Stdout: files[1],
		Stderr: files[2],
		SysProcAttr: &syscall.SysProcAttr{
			// A new group keeps Ctrl-C in our console from reaching the
			// command.
			CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP,
		},
	}}
	if err := p.cmd.Start(); err != nil {
		j.close()
		return nil, err
	}
	if err := p.release(); err != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		j.close()
		return nil, err
	}
	return p, nil
}

// release puts the suspended command into its job and lets it run.
func (p *process) release() error {
	var assigned error
	err := p.cmd.Process.WithHandle(func(handle uintptr) {
		assigned = p.job.add(windows.Handle(handle))
	})
	if err == nil {
		err = assigned
	}
	if err != nil {
		return fmt.Errorf("put it into a job: %w", err)
	}
	return resume(uint32(p.cmd.Process.Pid))
}

// wait returns when the command has ended. It kills what the command left
// behind, and waits for that too.
func (p *process) wait() ExitStatus {
	err := p.cmd.Wait()
	p.job.kill()
	p.job.drain()
	p.job.close()
	if p.cmd.ProcessState == nil {
		return ExitStatus{Code: -1, Err: err}
	}
	return ExitStatus{Code: p.cmd.ProcessState.ExitCode()}
}

// terminate returns false: Windows has no such request.
func (p *process) terminate() bool { return false }

// kill kills all processes in the job.
func (p *process) kill() { p.job.kill() }
