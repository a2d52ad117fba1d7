package workspace

import (
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
