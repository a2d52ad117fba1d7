package check

import (
	"context"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// waitsForEOF finds out whether an agent that is silent after its first prompt reads stdin
// to its end. Closing its stdin would disturb an agent that is just slow, so a second
// process gets the prompt and then EOF. The answer is false as soon as the agent prints
// something after all.
func (r *runner) waitsForEOF(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, ending)
	defer cancel()
	second := &runner{Options: r.Options, session: r.session}
	second.Tell = func(lint.Finding) {}
	second.linter = second.newLinter()
	answered := false
	second.linter.Event = func(e agent.Event) { answered = answered || isAnswer(e) }
	if !second.start() {
		return false
	}
	defer second.stop()
	second.send(r.prompt())
	second.closeStdin()
	for !answered {
		select {
		case line, open := <-r.lines:
			if open {
				r.hear(line)
			}
			return false
		case line, open := <-second.lines:
			if !open {
				return false
			}
			second.hear(line)
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// isAnswer reports whether an event is part of an agent's answer. An agent may also print
// its introduction, or that EOF cancelled the turn.
func isAnswer(e agent.Event) bool {
	switch e := e.(type) {
	case *agent.Introduction, *agent.Error:
		return false
	case *agent.Done:
		return e.StopReason != agent.StopCancelled
	}
	return true
}

// silent reports that nothing was printed after the first prompt, and why. It returns
// false if waiting is pointless.
func (r *runner) silent(ctx context.Context) bool {
	if r.child != nil && r.Misuse == nil {
		if why, ok := lint.Stderr(r.child.StderrTail()); ok {
			r.Tell(why)
			return false
		}
	}
	f := lint.New(lint.Silent, "the agent printed nothing for 3 s after the prompt; still waiting")
	if r.Misuse != nil {
		f.Help = r.Misuse.Advice() + "."
	}
	r.Tell(f)
	if r.child == nil || r.received > 0 || r.Misuse != nil || !r.waitsForEOF(ctx) {
		return true
	}
	r.found("not-flushed", "the agent printed nothing for 3 s, but a second process answered as soon as its stdin was closed: the agent reads stdin to its end, or doesn't flush its output")
	return false
}
