package natsstore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// The headers of messages.
const (
	stateHeader  = "Turnwire-State"
	partHeader   = "Turnwire-Part" // the number of a part, from 0
	moreHeader   = "Turnwire-More" // more parts follow
	writerHeader = "Turnwire-Writer"
	titleHeader  = "Turnwire-Title"
)

// maxText bounds a text that is assembled from parts, in bytes. Records are shorter.
const maxText = 256 << 20

// A state is the state of a session after a message. The last message therefore
// contains what lists need.
type state struct {
	Next     int64  `json:"next"` // the number of the next record
	Size     int64  `json:"size"` // of all text, in bytes
	Prompted bool   `json:"prompted,omitempty"`
	Title    string `json:"title,omitempty"` // of the first prompt
	// Changed is the time of the last change. It is set in messages that are not
	// changes themselves.
	Changed time.Time `json:"changed,omitzero"`
}

// notePrompt looks for the session's first prompt in lines.
func (s *state) notePrompt(lines []byte) {
	if s.Prompted || !bytes.Contains(lines, []byte(journal.TypePrompt)) {
		return
	}
	for line := range bytes.Lines(lines) {
		if r, err := journal.ParseRecord(line); err == nil && r.Type == journal.TypePrompt {
			s.Prompted, s.Title = true, journal.PromptTitle(r)
			return
		}
	}
}

// changed returns the time of a session's last change. at is the time of its last
// message.
func (s state) changed(at time.Time) time.Time {
	if !s.Changed.IsZero() {
		return s.Changed
	}
	return at
}

// A title is a title set by Retitle.
type title struct {
	Title  string `json:"title"`
	ByUser bool   `json:"byUser,omitempty"`
}

func setHeader(h nats.Header, name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("write a message: %w", err)
	}
	h.Set(name, string(text))
	return nil
}

// stateOf parses the state in a message.
func stateOf(h nats.Header) (s state, err error) {
	if err := exactjson.Unmarshal([]byte(h.Get(stateHeader)), &s); err != nil {
		return state{}, journal.ErrForeign
	}
	if s.Next < 1 || s.Size < 0 {
		return state{}, journal.ErrDamaged
	}
	return s, nil
}

// titleOf parses the title in a message. If it cannot be parsed, titleOf returns an
// empty title, because the title is only for lists.
func titleOf(h nats.Header) (t title) {
	if exactjson.Unmarshal([]byte(h.Get(titleHeader)), &t) != nil {
		return title{}
	}
	return t
}

// parts assembles texts from their parts.
type parts struct {
	text []byte
	next int // the number of the expected part; 0 if none is expected
}

// add adds a message. It returns a text once that is complete; the text is valid until
// the next call. If the last part of a text never arrives, its parts are dropped when
// the next text begins.
func (p *parts) add(h nats.Header, data []byte) (whole []byte, err error) {
	number, more := 0, h.Get(moreHeader) != ""
	if s := h.Get(partHeader); s != "" {
		if number, err = strconv.Atoi(s); err != nil || number < 0 {
			return nil, fmt.Errorf("%w: invalid part number %q", journal.ErrDamaged, s)
		}
	}
	switch {
	case number == 0 && !more:
		p.text, p.next = nil, 0
		return data, nil
	case number == 0:
		p.text = p.text[:0]
	case number != p.next:
		return nil, fmt.Errorf("%w: found part %d instead of %d", journal.ErrDamaged, number, p.next)
	}
	if len(p.text)+len(data) > maxText {
		return nil, fmt.Errorf("%w: a text is too long", journal.ErrDamaged)
	}
	p.text = append(p.text, data...)
	if more {
		p.next = number + 1
		return nil, nil
	}
	p.next = 0
	return p.text, nil
}
