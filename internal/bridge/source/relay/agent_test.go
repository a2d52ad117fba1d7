package relay_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/turnwire/turnwire/internal/agent/acptransport"
)

// A playedAgent is an agent that the test plays: a transport whose pipes are in memory. The
// test writes its stdout, and reads its stdin from heard.
type playedAgent struct {
	spec   acptransport.Spec
	stdin  *io.PipeWriter // the relay writes it
	stdout *io.PipeReader // the relay reads it
	says   *io.PipeWriter
	hears  *io.PipeReader
	heard  *bufio.Reader

	once   sync.Once
	done   chan struct{}
	status string // how it ended; set before done is closed
}

func startPlayed(s acptransport.Spec) *playedAgent {
	a := &playedAgent{spec: s, done: make(chan struct{})}
	a.hears, a.stdin = io.Pipe()
	a.stdout, a.says = io.Pipe()
	a.heard = bufio.NewReader(a.hears)
	return a
}

// exit ends the agent. Only the first call has an effect.
func (a *playedAgent) exit(status string) {
	a.once.Do(func() {
		a.status = status
		_ = a.says.Close()
		_ = a.hears.Close()
		close(a.done)
	})
}

// Write implements [io.Writer] by writing to the agent's stdout.
func (a *playedAgent) Write(text []byte) (int, error) { return a.says.Write(text) }

// Stdin implements [acptransport.Transport].
func (a *playedAgent) Stdin() io.Writer { return a.stdin }

// Stdout implements [acptransport.Transport].
func (a *playedAgent) Stdout() io.Reader { return a.stdout }

// Stop implements [acptransport.Transport]. The test ends the agent when its stdin ends.
func (a *playedAgent) Stop(ctx context.Context) {
	_ = a.stdin.Close()
	select {
	case <-a.done:
	case <-ctx.Done():
		a.Close()
	}
}

// Kill implements [acptransport.Transport].
func (a *playedAgent) Kill() { a.exit("signal: killed") }

// Close implements [acptransport.Transport].
func (a *playedAgent) Close() { a.Kill() }

// Done implements [acptransport.Transport].
func (a *playedAgent) Done() <-chan struct{} { return a.done }

// End implements [acptransport.Transport].
func (a *playedAgent) End() string {
	select {
	case <-a.done:
		return fmt.Sprintf("The agent stopped (%s).", a.status)
	default:
		return "The agent is running."
	}
}

// StderrTail implements [acptransport.Transport].
func (*playedAgent) StderrTail() string { return "" }
