package normalize

import (
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// output is what a call has printed: its end, and how much was before that.
//
// ACP v1 replaces the content of a call, so the whole must be sent again to
// show a new line. Sending it with each piece would cost the square of the
// output; it is sent again when what is new is a quarter of what has to be
// repeated, and what then is left when the agent pauses (see [Normalizer.Flush]).
type output struct {
	kept  rawjson.String
	half  rawjson.String // the first half of a character at its end
	cut   int            // bytes that are not kept any more
	shown int            // total length when it was last shown
	// progress is a message that waits to be shown, with its output, and noted
	// is how long the messages were since then.
	progress *agent.ToolProgress
	noted    int
}

func (o *output) total() int { return o.cut + len(o.kept) }

func (o *output) add(s rawjson.String) {
	o.kept = append(o.kept, s...)
	if len(o.kept) > 2*MaxOutput {
		tail := o.kept.Tail(MaxOutput)
		o.cut += len(o.kept) - len(tail)
		o.kept = append(o.kept[:0], tail...)
	}
}

// waits reports whether there is something to be shown.
func (o *output) waits() bool { return o.total() > o.shown || o.progress != nil }

// due reports whether it is time to show the output again. repeated is what has
// to be sent again with it.
func (o *output) due(repeated int) bool {
	fresh := o.total() - o.shown + o.noted
	return fresh > 0 && 4*fresh >= min(o.shown, MaxOutput)+repeated
}

// whole is all that can be shown, with a mark where something is missing.
func (o *output) whole() rawjson.String {
	tail := o.kept.Tail(MaxOutput)
	missing := o.total() - len(tail)
	if missing == 0 {
		return tail
	}
	return append(append(cutMark(missing), `\n`...), tail...)
}

func cutMark(n int) rawjson.String {
	return rawjson.String(fmt.Sprintf("[… %d bytes are not shown …]", n))
}

func (t *Normalizer) addOutput(e *agent.ToolOutput) {
	tool := t.known(e.ToolCallID, "", Running)
	if tool.hidden || tool.Status.Terminal() {
		return
	}
	tool.Status = Running
	if e.Replace {
		tool.output = output{noted: tool.output.noted}
	}
	if e.Text = join(&tool.output.half, e.Text, nil); len(e.Text) == 0 {
		return
	}
	e.ToolCallID = tool.ID
	tool.output.add(e.Text)
	step := Step{Event: e, Tool: tool}
	if tool.output.due(sizeOf(tool.View.Diffs)) {
		step.Output = tool.output.show()
	}
	t.yieldCall(step)
}

func (o *output) show() rawjson.String {
	o.shown, o.noted, o.progress = o.total(), 0, nil
	return o.whole()
}

// progress is the step of e, whose message is shown below the output, or held
// back until that is due.
func (t *Tool) progress(e *agent.ToolProgress) Step {
	o := &t.output
	if e.Message == "" {
		return Step{Event: e, Tool: t}
	}
	o.noted += len(e.Message)
	if o.due(sizeOf(t.View.Diffs)) {
		return Step{Event: e, Tool: t, Output: o.show()}
	}
	held := *e
	o.progress = &held
	e.Message = ""
	return Step{Event: e, Tool: t}
}

// Waiting reports whether Flush has something to yield.
func (t *Normalizer) Waiting() bool {
	for _, tool := range t.calls.open {
		if tool.output.waits() {
			return true
		}
	}
	return false
}

// Flush yields the output that was held back because there was too little new to
// be worth sending it again. It is called when the agent pauses.
func (t *Normalizer) Flush(yield func(Step)) {
	t.yield = yield
	for _, tool := range t.calls.open {
		if tool.hidden || !tool.output.waits() {
			continue
		}
		var e agent.Event = &agent.ToolOutput{ToolCallID: tool.ID}
		if p := tool.output.progress; p != nil {
			e = p
		}
		t.yieldCall(Step{Event: e, Tool: tool, Output: tool.output.show()})
	}
}

func describe(t *Normalizer, tool *Tool) agent.View {
	return toolview.Describe(t.table, tool.given, tool.Name, tool.Args, t.cwd)
}
