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

// lane distinguishes messages from thoughts.
type lane int

const (
	none lane = iota
	message
	thought
)

// maxTail limits the streamed text that is remembered to recognise it in the
// terminal event.
const maxTail = 64 << 10

// text is the state of a turn's text.
type text struct {
	turns   int // number of turns, to keep message ids unique
	count   int // number of messages in the turn
	current lane
	name    string // the agent's name for the current message
	idNow   string
	shown   lane                        // lane of the last shown text, if nothing else was shown after it
	ends    [thought + 1]int            // number of newlines at the end of the text, by lane
	half    [thought + 1]rawjson.String // an incomplete surrogate pair, by lane
	// The end of the streamed messages, in two buffers that are swapped, so
	// that dropping the oldest part never cuts a piece in two.
	tail, before rawjson.String
	cut          bool   // the oldest part was dropped
	tailID       string // id of the last message in tail
}

func (x *text) begin() {
	x.turns++
	x.count = 0
	x.reset()
	x.cut = false
}

// boundary makes the next piece of text start a new message.
func (x *text) boundary() { x.current = none }

// interrupt is a boundary for content that is shown between two messages.
func (x *text) interrupt() {
	x.boundary()
	x.shown = none
}

func (x *text) reset() {
	x.interrupt()
	x.half = [thought + 1]rawjson.String{}
	// The agent may still repeat text from before the reset at the end.
	x.tail, x.before, x.cut = x.tail[:0], x.before[:0], true
}

// id returns the message id for the next piece in a lane. name is the agent's
// name for the message.
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

// addText yields one or several joined pieces of text. s, ends and id point to
// fields of e.
func (t *Normalizer) addText(s *agent.Text, ends *[]int, id *string, e agent.Event, l lane) {
	if !t.running {
		return
	}
	x := &t.text
	piece := rawjson.Body(*s)
	if x.half[l] != nil || bytes.IndexByte(piece, '\\') >= 0 {
		piece = join(&x.half[l], piece, *ends)
	}
	if len(piece) == 0 {
		return
	}
	count := x.count
	*id = x.id(l, *id)
	if l == message {
		x.remember(piece)
	}
	if x.count != count && x.shown == l {
		piece = x.paragraph(l, piece, *ends)
	}
	x.shown, x.ends[l] = l, newlines(piece, x.ends[l])
	if len(piece) > MaxText {
		*ends = nil // the text is cut elsewhere; joined pieces are never this long
	}
	for {
		head, rest := piece.Cut(MaxText)
		*s, piece = rawjson.Wrap(head), rest
		t.yield(Step{Event: e})
		if len(piece) == 0 {
			return
		}
	}
}

// join reunites surrogate pairs that the agent split between two pieces, and
// replaces lone surrogates. If piece consists of several pieces, ends lists
// where they end; a high surrogate at the end of one moves to the next.
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

// flushText yields the replacements of surrogates that remain alone.
func (t *Normalizer) flushText() {
	for l, half := range t.text.half {
		t.text.half[l] = nil
		if half == nil {
			continue
		}
		if lane(l) == message {
			id := t.text.id(message, "")
			t.text.remember(half.Clean())
			t.yield(Step{Event: &agent.TextDelta{Text: rawjson.Wrap(half.Clean()), MessageID: id}})
		} else {
			t.yield(Step{Event: &agent.ThinkingDelta{Thinking: rawjson.Wrap(half.Clean()), MessageID: t.text.id(thought, "")}})
		}
	}
}

// messageSeparator precedes each message in the remembered text. No text
// contains this byte, because JSON escapes it.
const messageSeparator = "\x1e"

func (x *text) remember(piece rawjson.String) {
	if len(x.tail) > maxTail {
		x.cut = x.cut || len(x.before) > 0
		x.tail, x.before = x.before[:0], x.tail
	}
	if x.tailID != x.idNow {
		x.tailID = x.idNow
		x.tail = append(x.tail, messageSeparator...)
	}
	x.tail = append(x.tail, piece...)
}

// streamed returns the remembered text without white space, the offsets at
// which its messages start, and the offset of its end.
func (x *text) streamed() (all string, starts []int) {
	var b strings.Builder
	for _, buf := range []rawjson.String{x.before, x.tail} {
		for m := range bytes.SplitSeq(buf, []byte(messageSeparator)) {
			starts = append(starts, b.Len())
			b.WriteString(squeeze(rawjson.String(m).String()))
		}
	}
	return b.String(), append(starts, b.Len())
}

// whiteEnd returns the white space at the end of the remembered text.
func (x *text) whiteEnd() string {
	s := x.tail[bytes.LastIndexByte(x.tail, messageSeparator[0])+1:].String()
	return s[len(strings.TrimRightFunc(s, unicode.IsSpace)):]
}

// addUnstreamed yields the part of the terminal event's text that the user has
// not seen. Agents repeat the whole answer there, or its last messages, or send
// text that was never streamed. White space between messages may differ.
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
	// A short remembered text may match anywhere by chance.
	chance := from > 0 && len(have) < maxTail && from+len(have) < len(want)
	switch last := continued(have, starts, want); {
	case have != "" && from >= 0 && !chance && strings.HasPrefix(want[from:], have):
		t.emitRest(skipNonSpace(final, from+len(have)))
	case last > 0:
		t.emitRest(skipNonSpace(final, last))
	case !repeats(have, starts, want):
		t.flushText()
		t.emitText(final, true)
	}
}

// emitRest yields the continuation of the last streamed text.
func (t *Normalizer) emitRest(rest string) {
	rest = strings.TrimPrefix(rest, t.text.whiteEnd())
	if strings.TrimSpace(rest) == "" {
		return
	}
	t.text.half[message] = nil // its other half is in rest
	t.emitText(rest, false)
}

// continued returns the length of the longest run of last messages that want
// starts with.
func continued(have string, starts []int, want string) int {
	for _, from := range starts {
		if from < len(have) && strings.HasPrefix(want, have[from:]) {
			return len(have) - from
		}
	}
	return 0
}

// repeats reports whether want is a run of complete messages.
func repeats(have string, starts []int, want string) bool {
	for _, from := range starts {
		to := from + len(want)
		if _, ends := slices.BinarySearch(starts, to); ends && have[from:to] == want {
			return true
		}
	}
	return false
}

// skipNonSpace returns what follows the first n bytes of s, not counting white
// space.
func skipNonSpace(s string, n int) string {
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

// emitText yields text that the agent did not stream. It starts a new message
// if apart is set, and continues the current one otherwise.
func (t *Normalizer) emitText(s string, apart bool) {
	if strings.TrimSpace(s) == "" {
		return
	}
	if apart {
		t.text.boundary()
	}
	e := &agent.TextDelta{Text: agent.NewText(s)}
	t.addText(&e.Text, &e.Ends, &e.MessageID, e, message)
}

// squeeze removes all white space.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}
