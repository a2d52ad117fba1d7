package agentb

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/jsontext"
)

// deltas are the pieces of one message. Their lines, of which there are
// thousands, differ in their text and their timestamp alone: what is before the
// timestamp and around the text behind it is compared.
type deltas struct {
	head  []byte // up to the mark that opens the timestamp
	frame jsontext.Frame
	whole agent.TextDelta // what the frame was learned from
	now   agent.TextDelta // what is handed over, and may be changed
}

// maxStamp is longer than any timestamp, and bounds the search for its end.
const maxStamp = 40

// like returns the event of a line that is like the last, nil for others.
func (s *deltas) like(line []byte) agent.Event {
	from := len(s.head)
	if from == 0 || len(line) < from+maxStamp || !bytes.Equal(line[:from], s.head) {
		return nil
	}
	n := bytes.IndexByte(line[from:from+maxStamp], '"')
	if n < 0 || !plain(line[from:from+n]) {
		return nil
	}
	body, ok := s.frame.Match(line[from+n:])
	if !ok {
		return nil
	}
	s.now = s.whole
	s.now.Text = body
	return &s.now
}

// plain tells whether b has only what timestamps are made of, and so nothing
// that means something within a JSON string.
func plain(b []byte) bool {
	for _, c := range b {
		if c < '+' || c > 'Z' {
			return false
		}
	}
	return true
}

// learn remembers now as what the line of e says, whose text is at from:to.
func (s *deltas) learn(e *envelope, from, to int) {
	s.head = s.head[:0]
	stamp := e.line[e.stampFrom:e.stampTo]
	if len(stamp) < 2 || stamp[0] != '"' || !plain(stamp[1:len(stamp)-1]) || from < e.stampTo {
		return // it stands elsewhere, or is something else: such lines are walked over
	}
	s.head = append(s.head, e.line[:e.stampFrom+1]...)
	behind := e.stampTo - 1
	s.frame.Learn(e.line[behind:], from-behind, to-behind)
	s.whole = s.now
	s.whole.Text = nil
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
		s.now = agent.TextDelta{MessageID: d.messages.streams(p.messageID), Text: jsontext.String(p.chunk[1 : len(p.chunk)-1])}
		if p.calls == nil && p.messageID != "" {
			s.learn(e, p.from, p.from+len(p.chunk))
		}
		if !yield(&s.now) {
			return nil
		}
	}
	if p.calls == nil {
		return nil
	}
	var list []toolCall
	if err := json.Unmarshal(jsontext.CleanValue(p.calls), &list); err != nil {
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
	data := jsontext.Walk(e.data)
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
	o := jsontext.Walk(delta)
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
