package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/agent/tools"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/agent/transport/outbox"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A runner talks to one agent. Only the goroutine of [Agent] uses it, and only that one
// lints; another goroutine reads.
type runner struct {
	Options

	session    string
	linter     *lint.Linter
	recognise  func(line []byte)
	recognised bool

	deliver func(command any) // sends a command to an agent that is no child; nil for a child

	child *child.Child
	out   *outbox.Outbox
	lines chan []byte // closed at EOF of stdout

	written chan struct{} // closed when the writer is done

	received   int    // lines from this child
	introduced bool   // it has printed agent_info
	steerable  bool   // it accepts messages during a turn
	unread     string // the id of the message in the turn that the agent has not read; "" if none
	spoke      bool   // it has printed an event
	misused    bool   // it has printed lines of something other than an agent
	late       bool   // it had its first prompt before that

	turns         int
	pending       []pendingRequest
	confirmations int
	questions     int
	refused       map[string]bool // the calls refused in this turn
	stopped       agent.StopReason
}

// A pendingRequest is something the agent waits for.
type pendingRequest struct {
	confirmation *agent.ConfirmationRequested
	question     *agent.QuestionAsked
	editor       string // the id of a request to the editor
	tool         string // the id of a request to run a tool
}

// start starts the command. It reports whether it runs.
func (r *runner) start() bool {
	c, err := child.Start(child.Spec{Args: r.Args, Dir: r.Dir, Stdin: true})
	if err != nil {
		r.found("not-started", err.Error())
		return false
	}
	r.child, r.lines, r.received, r.introduced, r.late, r.steerable = c, make(chan []byte), 0, false, false, false
	r.out = outbox.New(c.Kill)
	written := make(chan struct{})
	r.written = written
	r.out.Start(c.Stdin(), func(error) { close(written) })
	go read(c.Stdout(), r.lines)
	return true
}

// read sends the lines of in until EOF.
func read(in io.Reader, to chan<- []byte) {
	defer close(to)
	for l := newLines(in); ; {
		line, err := l.next()
		if err != nil {
			return // EOF or an error
		}
		to <- line
	}
}

// stop kills the child and waits until nothing is left of it.
func (r *runner) stop() {
	if r.child == nil {
		return
	}
	r.out.Close()
	r.child.Kill()
	<-r.written
	for range r.lines { // discard remaining output
	}
	r.child.Wait()
	r.child.Close()
	r.child = nil
}

// listen processes lines until stop returns true, the time limit is reached, or the
// output ends. It returns the last result of stop.
func (r *runner) listen(ctx context.Context, limit time.Duration, stop func() bool) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for !stop() {
		select {
		case line, open := <-r.lines:
			if !open {
				return stop()
			}
			r.hear(line)
		case <-timer.C:
			return stop()
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func (r *runner) hear(line []byte) {
	r.received++
	r.recognise(rawjson.Valid(line))
	r.linter.Line(line)
}

// hasEnded reports whether the child's stdout was closed.
func (r *runner) hasEnded() bool {
	select {
	case line, open := <-r.lines:
		if open {
			r.hear(line)
		}
		return !open
	default:
		return false
	}
}

func (r *runner) send(command any) {
	if r.deliver != nil {
		r.deliver(command)
		return
	}
	line, err := outbox.Encode(command)
	if err != nil {
		r.found("no-answer", fmt.Sprintf("writing a command failed: %v", err))
		return
	}
	r.out.Put(line)
}

func (r *runner) turnID() string { return fmt.Sprintf("turn-%d", r.turns) }

func (r *runner) tellSession(e *agent.Introduction) {
	c := agent.SessionCommand{
		Type: agent.CommandSession, SessionID: r.session, Cwd: r.Dir, Roots: []string{}, MCPServers: []agent.Raw{},
		Editor: agent.Editor{Name: "turnwire check"},
	}
	if e.Tools {
		c.Tools = tools.All()
	}
	r.send(c)
}

// exited describes when and how the child exited, with the end of its stderr.
func (r *runner) exited(when string) string {
	status := r.child.Wait()
	text := fmt.Sprintf("the agent stopped %s (%s)", when, status)
	if tail := r.child.StderrTail(); tail != "" {
		text += "; last lines of stderr: " + tail
	}
	return text
}

// closeStdin closes stdin after all pending writes.
func (r *runner) closeStdin() {
	r.out.Finish()
	go func(c *child.Child, written <-chan struct{}) {
		select {
		case <-written:
		case <-c.Done():
		}
		_ = c.Stdin().Close() // it may be closed already
	}(r.child, r.written)
}

// end closes stdin and waits for the child to exit.
func (r *runner) end(ctx context.Context) {
	r.closeStdin()
	r.listen(ctx, ending, func() bool { return false })
	if !r.isGone(ctx, ending) {
		if ctx.Err() == nil {
			r.found("does-not-end", fmt.Sprintf("the agent was still running %s after the end of stdin", ending))
		}
		return
	}
	if status := r.child.Wait(); status.Code != 0 || status.Signal != "" {
		r.found("bad-exit", r.exited("after the end of stdin"))
	}
}

func (r *runner) isGone(ctx context.Context, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-r.child.Done():
		return true
	case <-ctx.Done():
		return !errors.Is(ctx.Err(), context.Canceled) && isClosed(r.child.Done())
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
