package dialect

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// framed is an event type that a stream may contain thousands of times,
// differing only in the text and in values that no handler reads. Each line is
// compared with the last one that was decoded in full.
type framed[E any] struct {
	frame
	whole E // the event that the frame was learned from
	now   E // the emitted event, which the receiver may change
}

// frame is a line's frame, with the parts of it that form the event's Extra.
type frame struct {
	rawjson.Frame
	keys  [][]byte // what precedes each varying value in Extra; nil if the value isn't in Extra
	extra []byte   // of the last match
}

// match returns the text and Extra of a line that matches the known one: it may
// differ only in the text and in values that no handler reads.
func (f *frame) match(line []byte) (text agent.Text, extra agent.Raw, ok bool) {
	body, others, ok := f.Match(line)
	if !ok || len(body) == 0 {
		return agent.Text{}, nil, false
	}
	if len(f.keys) == 0 {
		return rawjson.Wrap(body), nil, true
	}
	if cap(f.extra) > maxKeptExtra {
		f.extra = nil
	}
	extra = f.extra[:0]
	for i, key := range f.keys {
		if key != nil {
			extra = append(append(extra, key...), others[i]...)
		}
	}
	f.extra = extra
	return rawjson.Wrap(body), extra, true
}

// pieces holds the events whose lines are matched against earlier ones.
type pieces struct {
	text     framed[agent.TextDelta]
	thinking framed[agent.ThinkingDelta]
	output   framed[agent.ToolOutput]
	args     framed[agent.ToolArgsDelta]

	last *learned // describes the current line
	own  learned
}

// match returns the event of a line that differs from a known one only in its
// text and in values that no handler reads. It returns nil for any other line.
func (p *pieces) match(line []byte, onText func(agent.Text)) agent.Event {
	if text, extra, ok := p.text.match(line); ok {
		if onText != nil {
			onText(text)
		}
		p.text.now = p.text.whole
		p.text.now.Text, p.text.now.Extra = text, extra
		return &p.text.now
	}
	if text, extra, ok := p.thinking.match(line); ok {
		p.thinking.now = p.thinking.whole
		p.thinking.now.Thinking, p.thinking.now.Extra = text, extra
		return &p.thinking.now
	}
	if text, extra, ok := p.output.match(line); ok {
		p.output.now = p.output.whole
		p.output.now.Text, p.output.now.Extra = text, extra
		return &p.output.now
	}
	if text, extra, ok := p.args.match(line); ok {
		p.args.now = p.args.whole
		p.args.now.Delta, p.args.now.Extra = text, extra
		return &p.args.now
	}
	return nil
}

func (p *pieces) forget() {
	p.text.Forget()
	p.thinking.Forget()
	p.output.Forget()
	p.args.Forget()
}

// EmitText emits a piece of the answer. Its text is a slice of the line.
func (l *Line) EmitText(e agent.TextDelta) bool {
	if l.onText != nil && l.scratch.fault == nil {
		l.onText(e.Text)
	}
	p := &l.pieces.text
	p.now = e
	if l.isPiece(&p.frame, e.Text, &e.Base) {
		p.whole = e
	}
	return l.Emit(&p.now)
}

// EmitThinking emits a piece of the agent's thoughts.
func (l *Line) EmitThinking(e agent.ThinkingDelta) bool {
	p := &l.pieces.thinking
	p.now = e
	if l.isPiece(&p.frame, e.Thinking, &e.Base) {
		p.whole = e
	}
	return l.Emit(&p.now)
}

// EmitOutput emits a piece of a tool's output.
func (l *Line) EmitOutput(e agent.ToolOutput) bool {
	p := &l.pieces.output
	p.now = e
	if l.isPiece(&p.frame, e.Text, &e.Base) {
		p.whole = e
	}
	return l.Emit(&p.now)
}

// EmitArgs emits a piece of a call's arguments.
func (l *Line) EmitArgs(e agent.ToolArgsDelta) bool {
	p := &l.pieces.args
	p.now = e
	if l.isPiece(&p.frame, e.Delta, &e.Base) {
		p.whole = e
	}
	return l.Emit(&p.now)
}
