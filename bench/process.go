package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// A process is a program with pipes for stdin and stdout.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.ReadCloser
}

// grace is how long a program may take to exit after its stdin was closed.
const grace = 10 * time.Second

func startProcess(ctx context.Context, argv []string) (*process, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &process{cmd: cmd, in: in, out: out}, nil
}

// close closes the program's stdin, reads the remaining output, and waits for the program
// to exit.
func (p *process) close() error {
	timer := time.AfterFunc(grace, func() { _ = p.cmd.Process.Kill() })
	defer timer.Stop()
	_ = p.in.Close()
	_, _ = io.Copy(io.Discard, p.out)
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("after EOF on its stdin: %w", err)
	}
	return nil
}
