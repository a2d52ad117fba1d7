package agentb

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/jsontext"
)

// deltas are the pieces of one message. Their lines, of which there are
// thousands, differ in their text and in the end of their timestamp alone: what
// is before and between and behind is compared.
type deltas struct {
	head      []byte // up to that end
	frame     jsontext.Frame
	messageID string          // of the line that those were learned from
	now       agent.TextDelta // what is handed over, and may be changed
}

// stampEnd is how many bytes at the end of a timestamp may differ: seconds and
// their parts. Once a minute a line is walked over and learned anew.
const stampEnd = len(":00.000Z")

// like returns the event of a line that is like the last, nil for others.
func (s *deltas) like(line []byte) agent.Event {
	from, to := len(s.head), len(s.head)+stampEnd
	if from == 0 || len(line) < to || !bytes.Equal(line[:from], s.head) || !plain(line[from:to]) {
		return nil
	}
	body, ok := s.frame.Match(line[to:])
	if !ok || len(body) == 0 {
		return nil
	}
	s.now = agent.TextDelta{Text: body, MessageID: s.messageID}
	return &s.now
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plain tells whether the eight bytes of b are what timestamps are made of, from
// '+' to 'Z', and so mean nothing within a JSON string. They are looked at
// together: a byte that is out of the range sets its highest bit.
func plain(b []byte) bool {
	w := binary.LittleEndian.Uint64(b)
	return (w|(w-ones*'+')|(w+ones*(0x7f-'Z')))&highs == 0
}

// learn remembers the line of e, whose text is at from:to, and that now is what
// it says.
func (s *deltas) learn(e *envelope, from, to int) {
	s.head = s.head[:0]
	end := e.stampTo - len(`"`)
	begin := end - stampEnd
	if begin <= e.stampFrom || e.line[e.stampFrom] != '"' || bytes.IndexByte(e.line[e.stampFrom:begin], '\\') >= 0 ||
		!plain(e.line[begin:end]) || from < end {
		return // it stands elsewhere, or is something else: such lines are walked over
	}
	s.head = append(s.head, e.line[:begin]...)
	s.frame.Learn(e.line[end:], from-end, to-end)
	s.messageID = s.now.MessageID
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
	p, err := e.piece(s.messageID)
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
