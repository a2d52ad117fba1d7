package workspace

import (
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// sayStep answers with a text.
type sayStep struct{ text string }

func (s sayStep) run(t *turn) outcome {
	t.sayText(s.text)
	return succeeded
}

// thinkStep emits a text as a thought.
type thinkStep struct{ text string }

func (s thinkStep) run(t *turn) outcome {
	id := t.session.newID("thought")
	var events []agent.Event
	for piece := range strings.SplitAfterSeq(s.text, " ") {
		events = append(events, &agent.ThinkingDelta{Thinking: agent.NewText(piece), MessageID: id})
	}
	t.emit(events...)
	return succeeded
}

// sayText emits text as a separate message, in pieces like those of a model.
// They arrive together, so an editor gets them joined unless it wants each.
func (t *turn) sayText(text string) {
	id := t.session.newID("message")
	events := []agent.Event{&agent.MessageStart{MessageID: id, Role: "assistant"}}
	for piece := range strings.SplitAfterSeq(text, " ") {
		if piece != "" {
			events = append(events, &agent.TextDelta{Text: agent.NewText(piece), MessageID: id})
		}
	}
	t.emit(append(events, &agent.MessageEnd{MessageID: id})...)
}

// sayWhole emits text as a separate message in one piece, so that scripts can
// search for the end of a turn.
func (t *turn) sayWhole(text string) {
	id := t.session.newID("message")
	t.emit(
		&agent.MessageStart{MessageID: id, Role: "assistant"},
		&agent.TextDelta{Text: agent.NewText(text), MessageID: id},
		&agent.MessageEnd{MessageID: id},
	)
}

// shorten turns text into one line of at most limit characters.
func shorten(text string, limit int) string {
	text = strings.Join(strings.Fields(text), " ")
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	return strings.TrimSpace(string(runes[:limit-1])) + "…"
}

// plural formats a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if stem, ok := strings.CutSuffix(thing, "y"); ok {
		thing = stem + "ie"
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// sizeText formats a number of bytes.
func sizeText(n int64) string {
	if n < 1000 {
		return plural(int(n), "byte")
	}
	size, unit := float64(n)/1000, 0
	for size >= 999.95 && unit < 3 {
		size /= 1000
		unit++
	}
	return strconv.FormatFloat(size, 'f', 1, 64) + " " + [...]string{"kB", "MB", "GB", "TB"}[unit]
}

// clip truncates text to at most limit characters.
func clip(text string, limit int) string {
	n := 0
	for i := range text {
		if n == limit {
			return text[:i] + "…"
		}
		n++
	}
	return text
}
