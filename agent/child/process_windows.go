package child

import (
	"os"
	"os/exec"
)

// process is a command.
type process struct{ cmd *exec.Cmd }

func startProcess(path string, s Spec, files [3]*os.File) (*process, error) {
	p := &process{cmd: &exec.Cmd{
		Path:   path,
		Args:   s.Args,
		Env:    s.Env,
		Dir:    s.Dir,
		Stdin:  files[0],
		Stdout: files[1],
		Stderr: files[2],
	}}
	return p, p.cmd.Start()
}

func (p *process) wait() ExitStatus {
	err := p.cmd.Wait()
	if p.cmd.ProcessState == nil {
		return ExitStatus{Code: -1, Err: err}
	}
	return ExitStatus{Code: p.cmd.ProcessState.ExitCode()}
}

// terminate tells that Windows has no such request.
func (p *process) terminate() bool { return false }

func (p *process) kill() { _ = p.cmd.Process.Kill() }
