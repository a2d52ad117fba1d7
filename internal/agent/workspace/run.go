package workspace

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

// Limits of a command.
const (
	maxRunOutput = 1 << 20 // how much output is forwarded, in bytes
	maxRunTime   = 10 * time.Minute
	stopGrace    = 300 * time.Millisecond
	pieceSize    = 16 << 10
)

var errTooLong = fmt.Errorf("the command was stopped because it ran for more than %v", maxRunTime)

// runStep runs a shell command in the working directory, in a terminal of the
// editor if it has any.
type runStep struct{ command string }

type runArgs struct {
	Command string `json:"command"`
}

func (s runStep) run(t *turn) outcome {
	c := t.newCall("run_command", runArgs{s.command}, agent.View{Title: "Run " + shorten(s.command, 80), Kind: "execute"})
	c.ready()
	if err := c.confirm(s.command, "This runs a command."); err != nil {
		return c.fail(err)
	}
	if t.session.terminals {
		return c.runInEditor(s.command)
	}
	c.start()
	status, err := c.execute(s.command)
	switch {
	case t.ctx.Err() != nil:
		return c.fail(t.ctx.Err())
	case err != nil:
		return c.fail(err)
	case status.Signal != "":
		return c.fail(errors.New(status.String()))
	}
	return c.exited(status.Code)
}

// exited ends the call of a command that exited by itself.
func (c *call) exited(code int) outcome {
	e := &agent.ToolEnd{OK: code == 0, ExitCode: &code}
	if !e.OK {
		e.Error = child.ExitStatus{Code: code}.String()
	}
	return c.end(e)
}

// execute runs a command and emits its output. It returns when the command and
// all processes that it started have ended.
func (c *call) execute(command string) (child.ExitStatus, error) {
	ctx, cancel := context.WithTimeoutCause(c.turn.ctx, maxRunTime, errTooLong)
	defer cancel()
	// Check again: a cancel during the start would otherwise let the command
	// run for a moment.
	if ctx.Err() != nil {
		return child.ExitStatus{}, context.Cause(ctx)
	}
	p, err := child.Start(child.Spec{
		Args:        shell(command),
		Dir:         c.turn.session.files.dirs[0],
		MergeStderr: true,
		Log:         c.turn.session.log,
	})
	if err != nil {
		return child.ExitStatus{}, fmt.Errorf("run the command: %w", err)
	}
	defer p.Close()
	stopped := make(chan struct{})
	unwatch := context.AfterFunc(ctx, func() {
		defer close(stopped)
		grace, done := context.WithTimeout(context.WithoutCancel(ctx), stopGrace)
		defer done()
		p.Stop(grace)
	})
	c.passOn(p)
	status := p.Wait()
	if !unwatch() {
		<-stopped
		return status, context.Cause(ctx)
	}
	return status, status.Err
}

// passOn reads the output of p until EOF, even if it is no longer wanted,
// because a command that can't write can't exit.
func (c *call) passOn(p *child.Child) {
	out := p.Stdout()
	buf := make([]byte, pieceSize)
	pending, passed := 0, 0
	for {
		n, err := out.Read(buf[pending:])
		n += pending
		whole := n
		if err == nil {
			whole -= openRune(buf[:n])
		}
		if passed < maxRunOutput && whole > 0 {
			c.output(string(buf[:whole]))
			if passed += whole; passed >= maxRunOutput {
				c.output("\n[More output is not shown.]\n")
			}
		}
		pending = copy(buf, buf[whole:n])
		if err != nil {
			return
		}
	}
}

// openRune returns the length of an incomplete character at the end of b.
func openRune(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		tail := b[len(b)-n:]
		if utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
