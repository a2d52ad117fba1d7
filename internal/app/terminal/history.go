package terminal

import (
	"maps"
	"strings"
	"time"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A Past shows finished turns as Run showed them, with the user's prompts. It asks
// nothing.
type Past struct {
	view   *transcript
	close  func() error
	before map[string]bool // calls that ended before the last prompt
}

// NewPast returns a Past that writes to opts.Stdout.
func NewPast(opts Options) *Past {
	st := style{colour: opts.Colour}
	var out painter = newPlainPainter(opts.Stdout, st)
	rendered := false
	if opts.Terminal && !opts.Dumb && opts.Width != nil {
		rendered = !opts.Plain
		screen := newScrollback(opts.Stdout, st, opts.Width)
		screen.hidden = true // nothing is redrawn, and an interrupt may end it at any point
		screen.answer.rendered = rendered
		out = screen
	}
	t := newTranscript(st, out, time.Now, plainRows)
	t.announce, t.past, t.rendered = false, true, rendered
	return &Past{t, out.close, make(map[string]bool)}
}

// Prompt shows the user's prompt.
func (p *Past) Prompt(blocks v1.Blocks) {
	t := p.view
	if t.section != sectionNone {
		t.section = sectionEnd // separate it from the previous prompt
	}
	t.begin(sectionPrompt)
	maps.Copy(p.before, t.ended)
	clear(t.ended)
	for _, b := range blocks {
		for _, row := range blockRows(b) {
			t.out.print(t.st.bold("> " + row))
		}
	}
}

// Update shows an update. It skips the initial mode of a session, which is not a change.
func (p *Past) Update(u v1.Update) {
	if _, mode := u.(*v1.CurrentModeUpdate); mode && p.view.section == sectionNone {
		return
	}
	switch u := u.(type) {
	case *v1.ToolCall:
		delete(p.before, u.ToolCallID) // a restarted agent may reuse its ids
	case *v1.ToolCallUpdate:
		if p.before[u.ToolCallID] {
			return
		}
	}
	p.view.update(nil, u)
}

// Decided records whether a call was allowed to run.
func (p *Past) Decided(toolCallID string, allowed bool) {
	for _, tool := range p.view.running {
		if tool.ToolCallID == toolCallID {
			tool.refused = !allowed
		}
	}
}

// DecidedBy shows who decided about a call.
func (p *Past) DecidedBy(toolCallID, sentence string) {
	for _, tool := range p.view.running {
		if tool.ToolCallID == toolCallID {
			p.view.begin(sectionTool)
			p.view.out.print(p.view.st.dim("· " + tool.caption() + ": " + cleanLine(sentence)))
			return
		}
	}
}

// Question shows a question and its answer.
func (p *Past) Question(question, answer string, answered bool) {
	t := p.view
	t.begin(sectionQuestion)
	t.out.print(indentRest(t.st.accent("? "), outputRows(question))...)
	if !answered {
		t.out.print("  " + t.st.dim("→ not answered here"))
		return
	}
	for _, row := range outputRows(answer) {
		t.out.print("  " + t.st.dim("→ ") + row)
	}
}

func indentRest(first string, rows []string) []string {
	for i := range rows {
		if i == 0 {
			rows[i] = first + rows[i]
		} else {
			rows[i] = "  " + rows[i]
		}
	}
	return rows
}

// End ends a turn. failure is the reason for a failed turn, or "".
func (p *Past) End(stop v1.StopReason, failure string) error {
	t := p.view
	if failure != "" {
		t.notice(&v1.Notice{Severity: "error", Title: strings.TrimSpace(failure)})
	}
	return t.end(&report{StopReason: stop})
}

// Close shows the remaining rows.
func (p *Past) Close() error { return p.close() }
