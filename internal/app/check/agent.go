package check

import (
	"context"
	"fmt"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// Options say how to run an agent.
type Options struct {
	Args     []string // the command and its arguments
	Dir      string   // the working directory, of the agent and of the session
	Language Language
	// Timeout limits each turn.
	Timeout time.Duration
	// Prompt is the prompt of each turn.
	Prompt string
	// Misuse is what is wrong with the command line if the command prints no event; nil if
	// nothing is known about the command.
	Misuse *lint.Finding
	// Tell is called with each finding as it is made.
	Tell func(lint.Finding)
	// Step is called before each step with its description. It may be nil.
	Step func(what string)
}

const (
	// silence is how long an agent may print nothing before that is noted.
	silence = 3 * time.Second
	// greeting is how long to wait for an agent's introduction.
	greeting = 500 * time.Millisecond
	// ending is how long an agent may take to exit, or to flush its output, after its
	// stdin was closed.
	ending = 5 * time.Second
	// settling is how long to wait for events after the end of a turn.
	settling = 200 * time.Millisecond
	// middle is when to cancel a turn that has printed nothing yet.
	middle = 200 * time.Millisecond
)

// Agent runs a command through the script, and returns how many lines it printed.
// Problems of the agent are findings; an error means that the check itself failed.
func Agent(ctx context.Context, o Options) (lines int, err error) {
	r := &runner{Options: o, session: "check"}
	r.Tell = func(f lint.Finding) {
		r.misused = r.misused || f.Line > 0 && lint.IsMisuse(f.Rule)
		o.Tell(f)
	}
	r.linter = r.newLinter()
	defer r.stop()
	r.script(ctx)
	if err := ctx.Err(); err != nil {
		return r.linter.Lines(), fmt.Errorf("the check was stopped: %w", err)
	}
	return r.linter.Lines(), nil
}

// newLinter returns the linter for everything that the agent prints. It detects the
// dialect from the lines.
func (r *runner) newLinter() *lint.Linter {
	l := r.Language
	spoken := l.Dialect
	d := spoken
	if l.Others != nil {
		d = dialect.Auto(append(append([]dialect.Dialect{}, l.Others...), spoken)...)
	}
	r.recognise = func(line []byte) {
		if l.Others == nil || r.recognised {
			return
		}
		for _, other := range append(append([]dialect.Dialect{}, l.Others...), l.Dialect) {
			if other.Recognise(line) {
				spoken, r.recognised = other, true
				return
			}
		}
	}
	linter := lint.NewLinter(d.NewDecoder(), func() bool { return l.Native(spoken.Name) }, func() []string { return l.names(spoken) }, r.Tell)
	linter.Laws.Prompted = true
	linter.Event = r.event
	return linter
}

// script does what an editor may do in a session.
func (r *runner) script(ctx context.Context) {
	r.step("a prompt")
	if !r.start() {
		return
	}
	r.listen(ctx, greeting, func() bool { return r.introduced })
	if !r.turn(ctx, behaviour{allow: true}) {
		return
	}
	confirms := r.confirmations > 0
	atRequest := r.opportunities()
	r.step("a prompt that is cancelled")
	if !r.turn(ctx, behaviour{allow: true, cancel: true, atRequest: atRequest}) {
		return
	}
	if confirms {
		r.step("a prompt with permissions refused")
	} else {
		r.step("another prompt")
	}
	if !r.turn(ctx, behaviour{steer: true}) {
		return
	}
	r.step("the end of stdin")
	r.end(ctx)
}

// opportunities reports whether the agent has asked something, and notes what it has not
// asked.
func (r *runner) opportunities() (asked bool) {
	if r.confirmations == 0 {
		r.unchecked("confirmations", "the agent requested no permission, so its handling of the answers was not checked")
	}
	if r.questions == 0 {
		r.unchecked("questions", "the agent asked no question, so its handling of answers was not checked")
	}
	return r.confirmations > 0 || r.questions > 0
}

func (r *runner) step(what string) {
	if r.Step != nil {
		r.Step(what)
	}
}

// found reports a finding that is not about a line.
func (r *runner) found(rule, message string) {
	r.Tell(lint.New(rule, message))
}

func (r *runner) unchecked(subject, message string) {
	f := lint.New("unchecked", message)
	f.Subject = subject
	r.Tell(f)
}

// event tracks the agent's state during a turn. The linter calls it.
func (r *runner) event(e agent.Event) {
	r.spoke = true
	switch e := e.(type) {
	case *agent.Introduction:
		r.steerable = e.Steer != nil
		if !r.introduced {
			r.introduced, r.late = true, r.linter.Laws.Running()
			r.tellSession(e)
		}
	case *agent.Steered:
		r.steered(e)
	case *agent.ConfirmationRequested:
		r.confirmations++
		c := *e
		c.Options = append([]agent.ConfirmationOption(nil), e.Options...)
		c.Decisions = append([]agent.Decision(nil), e.Decisions...)
		r.pending = append(r.pending, pendingRequest{confirmation: &c})
	case *agent.QuestionAsked:
		r.questions++
		q := *e
		r.pending = append(r.pending, pendingRequest{question: &q})
	case *agent.EditorRequested:
		r.pending = append(r.pending, pendingRequest{editor: e.RequestID})
	case *agent.ToolRequested:
		r.pending = append(r.pending, pendingRequest{tool: e.ToolCallID})
	case *agent.ToolStart:
		r.ran(e.ToolCallID, "started it")
	case *agent.ToolOutput:
		r.ran(e.ToolCallID, "sent output for it")
	case *agent.ToolEnd:
		if e.OK {
			r.ran(e.ToolCallID, "ended it with ok")
		}
	case *agent.Done:
		r.stopped = e.StopReason
	}
}

// ran checks whether the agent runs a call that was refused.
func (r *runner) ran(id, what string) {
	if id == "" || !r.refused[id] {
		return
	}
	delete(r.refused, id)
	r.found("refusal-unread", fmt.Sprintf("the call %q was refused, but the agent %s", id, what))
}
