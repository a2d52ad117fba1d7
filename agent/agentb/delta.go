package agentb

import (
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// deltas are the pieces of one message. Their lines, of which there are
// thousands, differ in their text and in their timestamp alone.
type deltas struct {
	frame rawjson.Frame
	whole agent.TextDelta // what the frame was learned from
	now   agent.TextDelta // what is handed over, and may be changed
}

// like returns the event of a line that is like the last, nil for others.
func (s *deltas) like(line []byte) agent.Event {
	body, ok := s.frame.Match(line)
	if !ok || len(body) == 0 {
		return nil
	}
	s.now = s.whole
	s.now.Text = body
	return &s.now
}

var (
	errNoObject = errors.New("data or delta is not an object")
	errNoText   = errors.New("contentChunk is not a string")
)

// piece is what a delta brings: a part of the text, tool calls, or both.
type piece struct {
	messageID string
	chunk     []byte // a string token, nil where there is none
	from      int    // where that begins in the line
	calls     []byte // nil where there are none
}

// delta decodes thread.message.delta.
func (d *decoder) delta(e *envelope, yield func(agent.Event) bool) error {
	s := &d.deltas
	p, err := e.piece(s.whole.MessageID)
	if err != nil {
		return e.malformed(err)
	}
	if len(p.chunk) > len(`""`) {
		s.now = agent.TextDelta{MessageID: d.messages.streams(p.messageID), Text: rawjson.String(p.chunk[1 : len(p.chunk)-1])}
		if p.calls == nil && p.messageID != "" {
			s.whole = s.now
			s.frame.Learn(e.line, p.from, p.from+len(p.chunk), e.stamp)
		}
		if !yield(&s.now) {
			return nil
		}
	}
	if p.calls == nil {
		return nil
	}
	var list []toolCall
	if err := exactjson.Unmarshal(rawjson.CleanValue(p.calls), &list); err != nil {
		return e.malformed(fmt.Errorf("toolCallsChunk: %w", err))
	}
	d.callPieces(list, yield)
	return nil
}

// piece finds what a delta brings. known is the id of the message before.
func (e *envelope) piece(known string) (p piece, err error) {
	if e.data == nil {
		return p, nil
	}
	if e.data[0] != '{' {
		return p, errNoObject
	}
	data := rawjson.Walk(e.data)
	for {
		key, value, ok := data.Next()
		if !ok {
			return p, nil
		}
		switch string(key) {
		case "messageId":
			p.messageID = nameOf(value, known)
		case "delta":
			at, _ := data.Span()
			if err := p.read(value, e.dataFrom+at); err != nil {
				return p, err
			}
		}
	}
}

// read reads a delta that stands at from in its line.
func (p *piece) read(delta []byte, from int) error {
	if string(delta) == "null" {
		return nil
	}
	if delta[0] != '{' {
		return errNoObject
	}
	o := rawjson.Walk(delta)
	for {
		key, value, ok := o.Next()
		if !ok {
			return nil
		}
		if string(value) == "null" {
			continue
		}
		switch string(key) {
		case "contentChunk":
			if value[0] != '"' {
				return errNoText
			}
			at, _ := o.Span()
			p.chunk, p.from = value, from+at
		case "toolCallsChunk":
			p.calls = value
		}
	}
}
