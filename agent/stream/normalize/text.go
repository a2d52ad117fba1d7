package normalize

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
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

// text is what a normalizer remembers of the text of a turn.
type text struct {
	turns   int // numbers the turns, to keep message ids apart
	count   int // numbers the messages of a turn
	current lane
	name    string // the agent's name for the current message
	idNow   string
	half    [thought + 1]rawjson.String // the first half of a character, by lane
	// The end of what was streamed as a message: two buffers that take turns,
	// so that dropping the beginning never cuts a piece in two.
	tail, before rawjson.String
	cut          bool   // that is not all of it
	tailID       string // the message that the tail ends with
}

func (x *text) begin() {
	x.turns++
	x.count = 0
	x.reset()
	x.cut = false
}

// boundary makes the next piece of text begin a new message.
func (x *text) boundary() { x.current = none }

func (x *text) reset() {
	x.boundary()
	x.half = [thought + 1]rawjson.String{}
	// What was said before this step may be repeated in the end all the same.
	x.tail, x.before, x.cut = x.tail[:0], x.before[:0], true
}

// id is the message id for the next piece in a lane that the agent calls name.
func (x *text) id(l lane, name string) string {
	if l == x.current && (name == "" || name == x.name) {
		return x.idNow
	}
	x.count++
	x.current, x.name = l, name
	var memory [32]byte
	id := strconv.AppendInt(append(memory[:0], 'm'), int64(x.turns), 10)
	x.idNow = string(strconv.AppendInt(append(id, '.'), int64(x.count), 10))
	return x.idNow
}

// addText yields a piece of text, or several at once. s, ends and id are fields
// of e.
func (t *Normalizer) addText(s *rawjson.String, ends *[]int, id *string, e agent.Event, l lane) {
	if !t.running {
		return
	}
	x := &t.text
	piece := *s
	if x.half[l] != nil || bytes.IndexByte(piece, '\\') >= 0 {
		piece = join(&x.half[l], piece, *ends)
	}
	if len(piece) == 0 {
		return
	}
	*id = x.id(l, *id)
	if l == message {
		x.remember(piece)
	}
	if len(piece) > MaxText {
		*ends = nil // it is cut elsewhere; nobody joins as much
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
// and replaces what has no other half. Where piece is several, ends says where
// they end, and a first half at the end of one becomes part of the next.
func join(half *rawjson.String, piece rawjson.String, ends []int) rawjson.String {
	if len(piece) == 0 {
		return nil
	}
	if *half != nil {
		piece = append(append(rawjson.String(nil), *half...), piece...)
	}
	for i, end := range ends {
		one, _ := piece[:end+len(*half)].SplitHigh()
		ends[i] = len(one)
	}
	whole, rest := piece.SplitHigh()
	*half = bytes.Clone(rest)
	return whole.Clean()
}

// flushText yields the halves that no other half came for.
func (t *Normalizer) flushText() {
	for l, half := range t.text.half {
		t.text.half[l] = nil
		if half == nil {
			continue
		}
		if lane(l) == message {
			id := t.text.id(message, "")
			t.text.remember(half.Clean())
			t.yield(Step{Event: &agent.TextDelta{Text: half.Clean(), MessageID: id}})
		} else {
			t.yield(Step{Event: &agent.ThinkingDelta{Thinking: half.Clean(), MessageID: t.text.id(thought, "")}})
		}
	}
}

// mark stands before each message in what is remembered. No text has it as a
// byte of its own: in JSON it is escaped.
const mark = "\x1e"

func (x *text) remember(piece rawjson.String) {
	if len(x.tail) > maxTail {
		x.cut = x.cut || len(x.before) > 0
		x.tail, x.before = x.before[:0], x.tail
	}
	if x.tailID != x.idNow {
		x.tailID = x.idNow
		x.tail = append(x.tail, mark...)
	}
	x.tail = append(x.tail, piece...)
}

// streamed is what is remembered, without white space, and where the messages
// in it begin; its end is among that too.
func (x *text) streamed() (all string, starts []int) {
	var b strings.Builder
	for _, buf := range []rawjson.String{x.before, x.tail} {
		for m := range bytes.SplitSeq(buf, []byte(mark)) {
			starts = append(starts, b.Len())
			b.WriteString(squeeze(rawjson.String(m).String()))
		}
	}
	return b.String(), append(starts, b.Len())
}

// whiteEnd is the white space that the remembered text ends with.
func (x *text) whiteEnd() string {
	s := x.tail[bytes.LastIndexByte(x.tail, mark[0])+1:].String()
	return s[len(strings.TrimRightFunc(s, unicode.IsSpace)):]
}

// addUnstreamed yields what of the terminal event's text the user has not
// seen. Agents repeat the whole answer there, or its last messages, or give
// text that was never streamed; they differ in the white space between
// messages.
func (t *Normalizer) addUnstreamed(final string) {
	want := squeeze(final)
	if want == "" {
		return
	}
	have, starts := t.text.streamed()
	from := 0
	if t.text.cut && !strings.HasPrefix(want, have) {
		from = strings.LastIndex(want, have)
	}
	// A short text that was remembered may be found anywhere by chance.
	chance := from > 0 && len(have) < maxTail && from+len(have) < len(want)
	switch last := continued(have, starts, want); {
	case have != "" && from >= 0 && !chance && strings.HasPrefix(want[from:], have):
		t.sayRest(behind(final, from+len(have)))
	case last > 0:
		t.sayRest(behind(final, last))
	case !repeats(have, starts, want):
		t.flushText()
		t.say(final, true)
	}
}

// sayRest yields what follows the text that was streamed last.
func (t *Normalizer) sayRest(rest string) {
	rest = strings.TrimPrefix(rest, t.text.whiteEnd())
	if strings.TrimSpace(rest) == "" {
		return
	}
	t.text.half[message] = nil // its other half is in the rest
	t.say(rest, false)
}

// continued is how much of want the last messages are that it begins with.
func continued(have string, starts []int, want string) int {
	for _, from := range starts {
		if from < len(have) && strings.HasPrefix(want, have[from:]) {
			return len(have) - from
		}
	}
	return 0
}

// repeats reports whether want is a run of whole messages.
func repeats(have string, starts []int, want string) bool {
	for _, from := range starts {
		to := from + len(want)
		if _, ends := slices.BinarySearch(starts, to); ends && have[from:to] == want {
			return true
		}
	}
	return false
}

// behind is what is left of s behind n bytes that are not white space.
func behind(s string, n int) string {
	for i, r := range s {
		if n <= 0 {
			return s[i:]
		}
		if !unicode.IsSpace(r) {
			n -= utf8.RuneLen(r)
		}
	}
	return ""
}

// say yields text of our own making, as a message apart or as its next piece.
func (t *Normalizer) say(s string, apart bool) {
	if strings.TrimSpace(s) == "" {
		return
	}
	if apart {
		t.text.boundary()
	}
	e := &agent.TextDelta{Text: rawjson.Quote(s)}
	t.addText(&e.Text, &e.Ends, &e.MessageID, e, message)
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
