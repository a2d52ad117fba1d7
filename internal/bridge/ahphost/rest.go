package ahphost

import (
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A rest finds the rest of a turn that was running when the host lost the session: what the
// history has of the turn, and its chat doesn't show. The host's mutex guards it.
type rest struct {
	text, thoughts string          // shown, and not found in the history yet
	ended          map[string]bool // the shown tool calls that have ended
	differs        bool            // the history has another text, and nothing is known
}

// cutOff returns what finds the rest of the running turn, or nil if that can't be continued.
func (t *turn) cutOff() *rest {
	if !t.shown() || t.isUnsolicited() {
		return nil
	}
	r := &rest{ended: make(map[string]bool)}
	var text, thoughts strings.Builder
	parts := t.chat.active().ResponseParts
	for i := range parts {
		switch p := &parts[i]; {
		case p.ToolCall != nil:
			r.ended[p.ToolCall.ToolCallID] = p.ToolCall.Status == ahp.CallCompleted || p.ToolCall.Status == ahp.CallCancelled
		case p.Kind == ahp.PartMarkdown && p.Content != nil:
			text.WriteString(p.Content.String())
		case p.Kind == ahp.PartReasoning && p.Content != nil:
			thoughts.WriteString(p.Content.String())
		}
	}
	r.text, r.thoughts = text.String(), thoughts.String()
	return r
}

// of returns what an update of the turn has that is not shown, or nil. Its text may be longer
// than that of the update that the chat shows.
func (r *rest) of(u v1.Update) v1.Update {
	if r.differs {
		return nil
	}
	switch u := u.(type) {
	case *v1.MessageChunk:
		if saysInterrupted(u) { // the chat has an error
			return nil
		}
		return r.chunk(u)
	case *v1.ToolCall:
		if !r.ended[u.ToolCallID] {
			return u
		}
	case *v1.ToolCallUpdate:
		if !r.ended[u.ToolCallID] {
			return u
		}
	}
	return nil // the latest plan, for example, is not worth a turn
}

func (r *rest) chunk(c *v1.MessageChunk) v1.Update {
	shown := &r.text
	if c.Kind == v1.AgentThought {
		shown = &r.thoughts
	}
	block, is := c.Content.(*v1.TextBlock)
	if *shown == "" {
		return c
	}
	if !is { // its text is in what is shown, but nothing says where
		r.differs = true
		return nil
	}
	text := block.Text.String()
	if left, found := strings.CutPrefix(*shown, text); found {
		*shown = left
		return nil
	}
	more, found := strings.CutPrefix(text, *shown)
	if !found {
		r.differs = true
		return nil
	}
	*shown = ""
	return &v1.MessageChunk{Kind: c.Kind, Content: &v1.TextBlock{Text: v1.NewText(more)}, MessageID: c.MessageID}
}
