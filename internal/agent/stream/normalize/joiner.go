package normalize

import (
	"iter"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxJoined is the maximum length of joined text, in bytes of JSON.
const maxJoined = 16 << 10

// A Joiner joins adjacent pieces of one text into one event. It can be reused
// for later batches. The zero value is ready to use.
type Joiner struct {
	kind     pieceKind // the kind of the joined pieces
	text     agent.TextDelta
	thinking agent.ThinkingDelta
	output   agent.ToolOutput
	joined   rawjson.String
	ends     []int
}

type pieceKind byte

const (
	noPiece pieceKind = iota
	textPiece
	thinkingPiece
	outputPiece
)

// Join yields the events, with adjacent pieces of one text joined. In a joined
// [agent.TextDelta] or [agent.ThinkingDelta], Ends lists where the pieces end
// in the text. Extra is dropped, even from a single piece.
func (j *Joiner) Join(events iter.Seq[agent.Event]) iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		for e := range events {
			if j.add(e) {
				continue
			}
			if !j.flush(yield) {
				return
			}
			if !j.add(e) && !yield(e) {
				return
			}
		}
		j.flush(yield)
	}
}

// add appends a piece that continues the current text, or starts a new text. It
// refuses long pieces, which are passed on without a copy.
func (j *Joiner) add(e agent.Event) bool {
	switch e := e.(type) {
	case *agent.TextDelta:
		if !j.fits(textPiece, e.Text) || e.Ends != nil {
			return false
		}
		if j.kind == noPiece {
			j.text = agent.TextDelta{MessageID: e.MessageID, Base: agent.Base{TurnID: e.TurnID}}
		} else if e.MessageID != j.text.MessageID || e.TurnID != j.text.TurnID {
			return false
		}
		return j.append(textPiece, e.Text)
	case *agent.ThinkingDelta:
		if !j.fits(thinkingPiece, e.Thinking) || e.Ends != nil {
			return false
		}
		if j.kind == noPiece {
			j.thinking = agent.ThinkingDelta{MessageID: e.MessageID, Base: agent.Base{TurnID: e.TurnID}}
		} else if e.MessageID != j.thinking.MessageID || e.TurnID != j.thinking.TurnID {
			return false
		}
		return j.append(thinkingPiece, e.Thinking)
	case *agent.ToolOutput:
		if !j.fits(outputPiece, e.Text) || e.Replace || e.TerminalID != "" {
			return false
		}
		if j.kind == noPiece {
			j.output = agent.ToolOutput{ToolCallID: e.ToolCallID, Stream: e.Stream, Base: agent.Base{TurnID: e.TurnID}}
		} else if e.ToolCallID != j.output.ToolCallID || e.Stream != j.output.Stream || e.TurnID != j.output.TurnID {
			return false
		}
		return j.append(outputPiece, e.Text)
	}
	return false
}

// fits reports whether a piece can be joined to the current text.
func (j *Joiner) fits(kind pieceKind, text agent.Text) bool {
	return (j.kind == kind || j.kind == noPiece) && len(j.joined)+text.Len() <= maxJoined
}

func (j *Joiner) append(kind pieceKind, text agent.Text) bool {
	j.kind = kind
	if !text.IsZero() {
		j.joined = append(j.joined, rawjson.Body(text)...)
		j.ends = append(j.ends, len(j.joined))
	}
	return true
}

// flush yields the joined event, if there is one.
func (j *Joiner) flush(yield func(agent.Event) bool) bool {
	kind, text, ends := j.kind, rawjson.Wrap(j.joined), j.ends
	j.kind, j.joined, j.ends = noPiece, j.joined[:0], j.ends[:0]
	if len(ends) < 2 {
		ends = nil
	}
	switch kind {
	case textPiece:
		j.text.Text, j.text.Ends = text, ends
		return yield(&j.text)
	case thinkingPiece:
		j.thinking.Thinking, j.thinking.Ends = text, ends
		return yield(&j.thinking)
	case outputPiece:
		j.output.Text = text
		return yield(&j.output)
	case noPiece:
	}
	return true
}
