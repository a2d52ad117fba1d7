package dialect

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// framed is an event of which a stream has thousands that differ in their text
// alone. Such a line is compared with the last that was decoded in full.
type framed[E any] struct {
	frame rawjson.Frame
	whole E // what the frame was learned from
	now   E // what is handed over, and may be changed
}

// pieces are the events whose lines are known again.
type pieces struct {
	text     framed[agent.TextDelta]
	thinking framed[agent.ThinkingDelta]
	output   framed[agent.ToolOutput]
	args     framed[agent.ToolArgsDelta]

	// Of the line that is decoded: the frame of the piece that it is, and where
	// its text stands.
	last     *rawjson.Frame
	from, to int
}

// match returns the event of a line that differs from a known one in its text
// alone, nil for any other.
func (p *pieces) match(line []byte, said func(agent.Text)) agent.Event {
	if body, ok := p.text.frame.Match(line); ok && len(body) > 0 {
		if said != nil {
			said(rawjson.Wrap(body))
		}
		p.text.now = p.text.whole
		p.text.now.Text = rawjson.Wrap(body)
		return &p.text.now
	}
	if body, ok := p.thinking.frame.Match(line); ok && len(body) > 0 {
		p.thinking.now = p.thinking.whole
		p.thinking.now.Thinking = rawjson.Wrap(body)
		return &p.thinking.now
	}
	if body, ok := p.output.frame.Match(line); ok && len(body) > 0 {
		p.output.now = p.output.whole
		p.output.now.Text = rawjson.Wrap(body)
		return &p.output.now
	}
	if body, ok := p.args.frame.Match(line); ok && len(body) > 0 {
		p.args.now = p.args.whole
		p.args.now.Delta = rawjson.Wrap(body)
		return &p.args.now
	}
	return nil
}

func (p *pieces) forget() {
	p.text.frame.Forget()
	p.thinking.frame.Forget()
	p.output.frame.Forget()
	p.args.frame.Forget()
}

// EmitText hands over a piece of the answer. Its text is a part of the line.
func (l *Line) EmitText(e agent.TextDelta) bool {
	if l.said != nil && l.scratch.fault == nil {
		l.said(e.Text)
	}
	p := &l.pieces.text
	p.now = e
	if l.isPiece(&p.frame, e.Text, &e.Base) {
		p.whole = e
	}
	return l.Emit(&p.now)
}

// EmitThinking hands over a piece of the agent's thoughts.
func (l *Line) EmitThinking(e agent.ThinkingDelta) bool {
	p := &l.pieces.thinking
	p.now = e
	if l.isPiece(&p.frame, e.Thinking, &e.Base) {
		p.whole = e
	}
	return l.Emit(&p.now)
}

// EmitOutput hands over a piece of what a tool prints.
func (l *Line) EmitOutput(e agent.ToolOutput) bool {
	p := &l.pieces.output
	p.now = e
	if l.isPiece(&p.frame, e.Text, &e.Base) {
		p.whole = e
	}
	return l.Emit(&p.now)
}

// EmitArgs hands over a piece of a call's arguments.
func (l *Line) EmitArgs(e agent.ToolArgsDelta) bool {
	p := &l.pieces.args
	p.now = e
	if l.isPiece(&p.frame, e.Delta, &e.Base) {
		p.whole = e
	}
	return l.Emit(&p.now)
}

// isPiece notes that the line is a piece with the text, if the text is a part of
// it. A line with members of its own mostly numbers or dates the pieces: there is
// no other like it.
func (l *Line) isPiece(frame *rawjson.Frame, piece agent.Text, base *agent.Base) bool {
	text := rawjson.Body(piece)
	frame.Forget()
	// Two slices of one array that end where it does differ in capacity by the
	// bytes between them.
	from := cap(l.Bytes) - cap(text)
	if len(text) == 0 || len(base.Extra) > 0 || from < 1 || from+len(text) >= len(l.Bytes) || &l.Bytes[from] != &text[0] {
		return false
	}
	l.pieces.last, l.pieces.from, l.pieces.to = frame, from-1, from+len(text)+1
	return true
}

// learn remembers the line if a piece is all that it says.
func (l *Line) learn() {
	if p := &l.pieces; p.last != nil && l.emitted == 1 {
		p.last.Learn(l.Bytes, p.from, p.to)
	}
}
