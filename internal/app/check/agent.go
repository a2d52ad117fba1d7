package check

import (
	"context"
	"fmt"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// Options say how an agent is run.
type Options struct {
	Args     []string // the command and its arguments
	Dir      string   // where it runs, and where the session is
	Language Language
	// Timeout is how long each turn may take.
	Timeout time.Duration
	// Prompt is what the agent is asked in each turn.
	Prompt string
	// Tell gets the findings as they come.
	Tell func(lint.Finding)
	// Step is told what is done next. It may be nil.
	Step func(what string)
}

const (
	// silence is how long an agent may say nothing at all before that is noted.
	silence = 3 * time.Second
	// greeting is how long an agent may take to introduce itself.
	greeting = 500 * time.Millisecond
	// ending is how long an agent may take to end after the end of its stdin, or
	// to say what it has not flushed.
	ending = 5 * time.Second
	// settling is how long a turn is listened to after its end.
	settling = 200 * time.Millisecond
	// middle is when a turn is cancelled that has said nothing yet.
	middle = 200 * time.Millisecond
)

// Agent runs a command through the script, and returns how many lines it has
// printed. The error is one of ours: whatever is wrong with the agent is a
// finding.
func Agent(ctx context.Context, o Options) (lines int, err error) {
	r := &runner{Options: o, session: "check"}
	r.linter = r.newLinter()
	defer r.stop()
	r.script(ctx)
	if err := ctx.Err(); err != nil {
		return r.linter.Lines(), fmt.Errorf("the check was stopped: %w", err)
	}
	return r.linter.Lines(), nil
}

// newLinter returns the linter of all that the agent prints. The dialect is known
// by the lines themselves.
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

// script is what a session of an editor may look like.
func (r *runner) script(ctx context.Context) {
	r.step("a prompt")
	if !r.start() {
		return
	}
	r.listen(ctx, greeting, func() bool { return r.introduced })
	if !r.turn(ctx, behaviour{allow: true}) {
		return
	}
	asked, questioned := r.confirmations > 0, r.questions > 0
	if !asked {
		r.unchecked("confirmations", "the agent asked for no confirmation: what it does with an answer is unchecked")
	}
	if !questioned {
		r.unchecked("questions", "the agent asked no question: what it does with an answer is unchecked")
	}
	r.step("a prompt that is cancelled in the middle")
	if !r.turn(ctx, behaviour{allow: true, cancel: true, atAsk: asked || questioned}) {
		return
	}
	if asked {
		r.step("a prompt whose confirmations are refused")
	} else {
		r.step("another prompt")
	}
	if !r.turn(ctx, behaviour{}) {
		return
	}
	r.step("the end of stdin")
	r.end(ctx)
}

func (r *runner) step(what string) {
	if r.Step != nil {
		r.Step(what)
	}
}

// found tells a finding that is about no line.
func (r *runner) found(rule, message string) {
	r.Tell(lint.New(rule, message))
}

func (r *runner) unchecked(subject, message string) {
	f := lint.New("unchecked", message)
	f.Subject = subject
	r.Tell(f)
}

// event follows the agent within a turn. The linter calls it.
func (r *runner) event(e agent.Event) {
	switch e := e.(type) {
	case *agent.Introduction:
		if !r.introduced {
			r.introduced, r.late = true, r.linter.Laws.Running()
			r.tellSession()
		}
	case *agent.ConfirmationRequested:
		r.confirmations++
		c := *e
		c.Options = append([]agent.ConfirmationOption(nil), e.Options...)
		c.Decisions = append([]agent.Decision(nil), e.Decisions...)
		r.asks = append(r.asks, ask{confirmation: &c})
	case *agent.QuestionAsked:
		r.questions++
		q := *e
		r.asks = append(r.asks, ask{question: &q})
	case *agent.EditorRequested:
		r.asks = append(r.asks, ask{editor: e.RequestID})
	case *agent.ToolStart:
		r.ran(e.ToolCallID, "starts it")
	case *agent.ToolOutput:
		r.ran(e.ToolCallID, "has output of it")
	case *agent.ToolEnd:
		if e.OK {
			r.ran(e.ToolCallID, "ends it with ok")
		}
	case *agent.Done:
		r.stopped = e.StopReason
	}
}

// ran notes what an agent does with a call that was refused.
func (r *runner) ran(id, what string) {
	if id == "" || !r.refused[id] {
		return
	}
	delete(r.refused, id)
	r.found("refusal-unread", fmt.Sprintf("the call %q was refused, and the agent %s", id, what))
}
