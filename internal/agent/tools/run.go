package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

// overtime returns the error of a command that ran for too long.
func (k runTask) overtime() error {
	return fmt.Errorf("the command was stopped because it ran for more than %v", k.limit())
}

// A RunArgs is the arguments of [RunCommand].
type RunArgs struct {
	Command string  `json:"command"`
	Timeout float64 `json:"timeout,omitempty"` // in seconds; 0 means the longest
}

// A runTask runs a shell command in the working directory, in a terminal of the editor if
// it has any.
type runTask RunArgs

func (k runTask) view() agent.View {
	return agent.View{Title: "Run " + Shorten(k.Command, 80), Kind: "execute"}
}

// limit returns how long the command may run.
func (k runTask) limit() time.Duration {
	if k.Timeout > 0 && k.Timeout < maxRunTime.Seconds() {
		return time.Duration(k.Timeout * float64(time.Second))
	}
	return maxRunTime
}

func (k runTask) run(c *call) Result {
	if strings.TrimSpace(k.Command) == "" {
		c.start()
		return c.fail(errors.New("the command is missing"))
	}
	c.ready()
	if err := c.confirm(k.Command, "This runs a command.", quoted(k.Command, "this command")); err != nil {
		return c.fail(err)
	}
	if c.box.terminals {
		return c.runInEditor(k)
	}
	c.start()
	status, err := c.execute(k)
	switch {
	case c.turn.Context().Err() != nil:
		return c.fail(c.turn.Context().Err())
	case err != nil:
		return c.failed(err)
	case status.Signal != "":
		return c.failed(errors.New(status.String()))
	}
	return c.exited(status.Code)
}

// failed is like fail, for a command that has printed something.
func (c *call) failed(err error) Result {
	r := c.fail(err)
	if !r.Cancelled && !r.Refused {
		r.Text, r.ending = c.output.String()+"\n"+r.Text, true
	}
	return r
}

// exited ends the call of a command that exited by itself.
func (c *call) exited(code int) Result {
	e := &agent.ToolEnd{OK: code == 0, ExitCode: &code}
	if !e.OK {
		e.Error = child.ExitStatus{Code: code}.String()
	}
	c.end(e)
	return Result{Text: fmt.Sprintf("%s\n[exit code %d]", strings.TrimSuffix(c.output.String(), "\n"), code), OK: code == 0, ending: true}
}

// execute runs a command and emits its output. It returns when the command and
// all processes that it started have ended.
func (c *call) execute(k runTask) (child.ExitStatus, error) {
	ctx, cancel := context.WithTimeoutCause(c.turn.Context(), k.limit(), k.overtime())
	defer cancel()
	// Check again: a cancel during the start would otherwise let the command
	// run for a moment.
	if ctx.Err() != nil {
		return child.ExitStatus{}, context.Cause(ctx)
	}
	p, err := child.Start(child.Spec{
		Args:        shell(k.Command),
		Dir:         c.box.files.dirs[0],
		MergeStderr: true,
		Log:         c.box.log,
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
			c.print(string(buf[:whole]))
			if passed += whole; passed >= maxRunOutput {
				c.print("\n[More output is not shown.]\n")
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
