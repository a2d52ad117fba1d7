package normalize

import (
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// output is the end of a call's output, and the length of the dropped rest.
//
// ACP v1 replaces a call's content, so showing a new line means sending the
// whole output again. Sending it with each piece would take time quadratic in
// its length. It is sent again when the new part is a quarter of what has to be
// repeated, and when the agent pauses (see [Normalizer.Flush]).
type output struct {
	tail  rawjson.String
	half  rawjson.String // an incomplete surrogate pair at the end
	cut   int            // the length of the dropped part
	shown int            // the total length when it was last shown
	// progress is a message that will be shown with the output. messageLen is
	// the length of all messages since the output was last shown.
	progress   *agent.ToolProgress
	messageLen int
}

func (o *output) total() int { return o.cut + len(o.tail) }

func (o *output) add(s rawjson.String) {
	o.tail = append(o.tail, s...)
	if len(o.tail) > 2*MaxOutput {
		tail := o.tail.Tail(MaxOutput)
		o.cut += len(o.tail) - len(tail)
		o.tail = append(o.tail[:0], tail...)
	}
}

// waits reports whether there is something to show.
func (o *output) waits() bool { return o.total() > o.shown || o.progress != nil }

// due reports whether the output should be shown again. repeated is the length
// of what has to be sent again with it.
func (o *output) due(repeated int) bool {
	fresh := o.total() - o.shown + o.messageLen
	return fresh > 0 && 4*fresh >= min(o.shown, MaxOutput)+repeated
}

// whole returns the output to show, with a note if a part is missing.
func (o *output) whole() rawjson.String {
	tail := o.tail.Tail(MaxOutput)
	missing := o.total() - len(tail)
	if missing == 0 {
		return tail
	}
	return append(append(cutMark(missing), `\n`...), tail...)
}

func cutMark(n int) rawjson.String {
	return rawjson.String(fmt.Sprintf("[… %d bytes omitted …]", n))
}

func (t *Normalizer) addOutput(e *agent.ToolOutput) {
	tool := t.findOrAnnounce(e.ToolCallID, "", Running)
	if tool.hidden || tool.Status.Terminal() {
		return
	}
	tool.Status = Running
	if e.Replace {
		tool.output = output{messageLen: tool.output.messageLen}
	}
	named := t.addTerminal(tool, e.TerminalID)
	text := join(&tool.output.half, rawjson.Body(e.Text), nil)
	if len(text) == 0 && !named {
		return
	}
	e.Text = rawjson.Wrap(text)
	e.ToolCallID = tool.ID
	tool.output.add(text)
	step := Step{Event: e, Tool: tool}
	if named || tool.output.due(sizeOf(tool.View.Diffs)) {
		step.Output = tool.output.show() // a terminal can only be added by sending the whole content again
	}
	t.yieldCall(step)
}

func (o *output) show() agent.Text {
	o.shown, o.messageLen, o.progress = o.total(), 0, nil
	return rawjson.Wrap(o.whole())
}

// progress returns the step for e. Its message is shown below the output, or
// held back until the output is due.
func (t *Tool) progress(e *agent.ToolProgress) Step {
	o := &t.output
	if e.Message == "" {
		return Step{Event: e, Tool: t}
	}
	o.messageLen += len(e.Message)
	if o.due(sizeOf(t.View.Diffs)) {
		return Step{Event: e, Tool: t, Output: o.show()}
	}
	pending := *e
	o.progress = &pending
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

// Flush yields output that was held back because it was too short. Call it when
// the agent pauses.
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
