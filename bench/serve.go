package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A server is a running `turnwire serve`.
type server struct {
	cmd *exec.Cmd
	dir string // of its socket
}

// startServer starts a server with an agent, and returns when the server is reachable.
func startServer(ctx context.Context, turnwire string, child []string) (*server, error) {
	dir, err := os.MkdirTemp("", "turnwire-bench-serve-")
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir}
	s.cmd = exec.CommandContext(ctx, turnwire, append([]string{"serve", "--socket", s.socket(), "--"}, child...)...)
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	said := bufio.NewReader(stderr)
	if line, err := said.ReadString('\n'); err != nil || !strings.Contains(line, "serving") {
		return nil, fmt.Errorf("turnwire serve: %q: %w", line, err)
	}
	go func() { _, _ = io.Copy(os.Stderr, said) }()
	return s, nil
}

func (s *server) socket() string { return filepath.Join(s.dir, "s") }

// close stops the server and its child processes.
func (s *server) close() error {
	timer := time.AfterFunc(grace, func() { _ = s.cmd.Process.Kill() })
	defer timer.Stop()
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("turnwire serve: %w", err)
	}
	return os.RemoveAll(s.dir)
}
