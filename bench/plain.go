package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// A copier is a child whose output passes through cat: the same bytes through the same
// two pipes, without processing.
type copier struct {
	child *exec.Cmd
	stdin io.WriteCloser
	cat   *exec.Cmd
	out   io.Reader
}

func startPlain(ctx context.Context, argv []string) (*copier, error) {
	c := &copier{
		child: exec.CommandContext(ctx, argv[0], argv[1:]...),
		cat:   exec.CommandContext(ctx, "cat"),
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	defer w.Close()
	c.child.Stdout, c.child.Stderr = w, os.Stderr
	c.cat.Stdin, c.cat.Stderr = r, os.Stderr
	if c.stdin, err = c.child.StdinPipe(); err != nil {
		return nil, err
	}
	if c.out, err = c.cat.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := c.child.Start(); err != nil {
		return nil, err
	}
	return c, c.cat.Start()
}

// Read implements subject.
func (c *copier) Read(p []byte) (int, error) { return c.out.Read(p) }

func (c *copier) pid() int { return c.cat.Process.Pid }

func (c *copier) prompt(text string) error {
	line, err := json.Marshal(map[string]string{"type": "prompt", "text": text})
	if err != nil {
		return err
	}
	_, err = c.stdin.Write(append(line, '\n'))
	return err
}

func (c *copier) ends(line []byte) (bool, error) {
	return bytes.HasPrefix(line, []byte(`{"type":"done"`)), nil
}

func (c *copier) close() error {
	_ = c.stdin.Close()
	_, _ = io.Copy(io.Discard, c.out)
	if err := c.child.Wait(); err != nil {
		return fmt.Errorf("child: %w", err)
	}
	return c.cat.Wait()
}
