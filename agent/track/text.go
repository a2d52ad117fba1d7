package track

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/jsontext"
)

// lane tells a message from a thought.
type lane int

const (
	none lane = iota
	message
	thought
)

// maxTail is how much of the streamed text is remembered, to find it again in
// the terminal event.
const maxTail = 64 << 10

// text is what a tracker remembers of the text of a turn.
type text struct {
	turns   int // numbers the turns, to keep message ids apart
	count   int // numbers the messages of a turn
	current lane
	name    string // the agent's name for the current message
	idNow   string
	half    [thought + 1]jsontext.String // the first half of a character, by lane
	// The end of what was streamed as a message: two buffers that take turns,
	// so that dropping the beginning never cuts a piece in two.
	tail, before jsontext.String
	cut          bool // that is not all of it
	said         bool // a message has begun
}

func (x *text) begin() {
	x.turns++
	x.count = 0
	x.reset()
	x.said = false
}

// boundary makes the next piece of text begin a new message.
func (x *text) boundary() { x.current = none }

func (x *text) reset() {
	x.boundary()
	x.half = [thought + 1]jsontext.String{}
	x.tail, x.before, x.cut = x.tail[:0], x.before[:0], false
}

// id is the message id for the next piece in a lane that the agent calls name.
func (x *text) id(l lane, name string) string {
	if l == x.current && (name == "" || name == x.name) {
		return x.idNow
	}
	x.count++
	x.current, x.name = l, name
	x.idNow = "m" + strconv.Itoa(x.turns) + "." + strconv.Itoa(x.count)
	return x.idNow
}

// addText yields a piece of text. s and id are fields of e.
func (t *Tracker) addText(s *jsontext.String, id *string, e agent.Event, l lane) {
	if !t.running {
		return
	}
	x := &t.text
	piece := *s
	if x.half[l] != nil || bytes.IndexByte(piece, '\\') >= 0 {
		piece = x.join(piece, l)
	}
	if len(piece) == 0 {
		return
	}
	*id = x.id(l, *id)
	if l == message {
		x.remember(piece)
	}
	for {
		*s, piece = piece.Cut(MaxText)
		t.yield(Step{Event: e})
		if len(piece) == 0 {
			return
		}
	}
}

// join puts the halves of a character together that a stream has cut in two,
// and replaces what has no other half.
func (x *text) join(piece jsontext.String, l lane) jsontext.String {
	if len(piece) == 0 {
		return nil
	}
	if h := x.half[l]; h != nil {
		piece = append(append(jsontext.String(nil), h...), piece...)
		x.half[l] = nil
	}
	whole, half := piece.SplitHigh()
	if half != nil {
		x.half[l] = bytes.Clone(half)
	}
	return whole.Clean()
}

// flushText yields the halves that no other half came for.
func (t *Tracker) flushText() {
	for l, half := range t.text.half {
		t.text.half[l] = nil
		if half == nil {
			continue
		}
		if lane(l) == message {
			t.yield(Step{Event: &agent.TextDelta{Text: half.Clean(), MessageID: t.text.id(message, "")}})
		} else {
			t.yield(Step{Event: &agent.ThinkingDelta{Thinking: half.Clean(), MessageID: t.text.id(thought, "")}})
		}
	}
}

func (x *text) remember(piece jsontext.String) {
	x.said = true
	if len(x.tail) > maxTail {
		x.cut = x.cut || len(x.before) > 0
		x.tail, x.before = x.before[:0], x.tail
	}
	x.tail = append(x.tail, piece...)
}

// streamed is what is remembered.
func (x *text) streamed() string { return x.before.String() + x.tail.String() }

// addUnstreamed yields what of the terminal event's text the person has not
// seen. Agents repeat the whole answer there, or its last message, or give
// text that was never streamed; they differ in the white space between
// messages.
func (t *Tracker) addUnstreamed(final string) {
	if strings.TrimSpace(final) == "" {
		return
	}
	t.flushText()
	x := &t.text
	streamed := x.streamed()
	if !x.cut {
		if rest, ok := strings.CutPrefix(final, streamed); ok {
			t.say(rest, streamed == "")
			return
		}
	}
	have, want := squeeze(streamed), squeeze(final)
	if strings.Contains(have, want) || x.cut && strings.HasSuffix(want, have) {
		return
	}
	t.say(final, true)
}

// say yields text of our own making, as a message apart or as its next piece.
func (t *Tracker) say(s string, apart bool) {
	if strings.TrimSpace(s) == "" {
		return
	}
	if apart {
		t.text.boundary()
	}
	e := &agent.TextDelta{Text: jsontext.Quote(s)}
	t.addText(&e.Text, &e.MessageID, e, message)
}

// squeeze drops all white space.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}
