package transcript

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// An Item is one complete element of a transcript.
type Item struct {
	Kind     Kind
	Time     time.Time
	Text     string     // of a prompt, message or thought
	Blocks   []v1.Block // other blocks of a prompt or message
	Call     *Call
	Plan     []v1.PlanEntry
	Notice   *v1.Notice
	Question *Question
	End      *End
}

// A Kind says what an item is, and which of its fields are set.
type Kind uint8

// The kinds of items.
const (
	Prompt Kind = iota
	Message
	Thought
	ToolCall
	Plan
	Notice
	Asked
	Ended
)

// Items yields the items of a session's parts, turn by turn.
func Items(parts iter.Seq2[Part, error]) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		b := builder{seen: make(map[string]bool)}
		for p, err := range parts {
			if p.Prompt != nil || p.Question != nil || err != nil {
				b.split()
			}
			if err != nil {
				if b.flush(yield) {
					yield(Item{}, err)
				}
				return
			}
			b.add(p)
			if p.End != nil && !b.flush(yield) {
				return
			}
		}
		b.flush(yield)
	}
}

// A builder collects the items of a turn.
type builder struct {
	items   []*Item
	message string // the id of the last message
	joins   bool   // further text belongs to the last item
	seen    map[string]bool
}

func (b *builder) split() { b.joins = false }

func (b *builder) flush(yield func(Item, error) bool) bool {
	for _, i := range b.items {
		i.Text = strings.Trim(i.Text, "\n")
		if (i.Kind == Message || i.Kind == Thought) && strings.TrimSpace(i.Text) == "" && len(i.Blocks) == 0 {
			continue
		}
		if !yield(*i, nil) {
			return false
		}
	}
	b.items, b.joins = nil, false
	return true
}

func (b *builder) addItem(at time.Time, i Item) *Item {
	i.Time, b.joins = at, false
	b.items = append(b.items, &i)
	return &i
}

func (b *builder) add(p Part) {
	switch {
	case p.Prompt != nil:
		i := b.addItem(p.Time, Item{Kind: Prompt})
		for _, block := range p.Prompt {
			i.block(block, "\n")
		}
	case p.Question != nil:
		b.addItem(p.Time, Item{Kind: Asked, Question: p.Question})
	case p.Decision != nil:
		if c := b.call(p.Decision.ToolCallID); c != nil {
			c.Decisions = append(c.Decisions, *p.Decision)
		}
	case p.End != nil:
		b.addItem(p.Time, Item{Kind: Ended, End: p.End})
	case p.Update != nil:
		b.update(p.Time, p.Update)
	}
}

func (b *builder) update(at time.Time, u v1.Update) {
	switch u := u.(type) {
	case *v1.MessageChunk:
		b.chunk(at, u)
	case *v1.ToolCall:
		// A restarted agent may reuse its ids.
		delete(b.seen, u.ToolCallID)
		b.tool(at, &u.ToolCallFields)
	case *v1.ToolCallUpdate:
		b.tool(at, &u.ToolCallFields)
	case *v1.Plan:
		b.plan(at, u.Entries)
	case *v1.Notice:
		b.addItem(at, Item{Kind: Notice, Notice: u})
	}
}

func (b *builder) chunk(at time.Time, c *v1.MessageChunk) {
	kind := Message
	if c.Kind == v1.AgentThought {
		kind = Thought
	}
	last := len(b.items) - 1
	if !b.joins || b.items[last].Kind != kind || c.MessageID != "" && b.message != "" && c.MessageID != b.message {
		b.addItem(at, Item{Kind: kind})
		last = len(b.items) - 1
	}
	b.joins, b.message = true, c.MessageID
	b.items[last].block(c.Content, "")
}

// block adds a block to a message. separator is inserted between texts.
func (i *Item) block(block v1.Block, separator string) {
	text, ok := block.(*v1.TextBlock)
	if !ok {
		i.Blocks = append(i.Blocks, block)
		return
	}
	if i.Text != "" {
		i.Text += separator
	}
	i.Text += text.Text.String()
}

func (b *builder) call(id string) *Call {
	for _, i := range b.items {
		if i.Kind == ToolCall && i.Call.ToolCallID == id {
			return i.Call
		}
	}
	return nil
}

func (b *builder) tool(at time.Time, f *v1.ToolCallFields) {
	c := b.call(f.ToolCallID)
	if c == nil {
		if b.seen[f.ToolCallID] {
			return // its turn is over
		}
		b.seen[f.ToolCallID] = true
		c = b.addItem(at, Item{Kind: ToolCall, Call: &Call{}}).Call
	}
	b.joins = false
	c.merge(f)
}

// plan stores the latest state of a plan. A different plan is a new item.
func (b *builder) plan(at time.Time, entries []v1.PlanEntry) {
	for _, i := range slices.Backward(b.items) {
		if i.Kind != Plan {
			continue
		}
		if len(i.Plan) <= len(entries) && slices.EqualFunc(i.Plan, entries[:len(i.Plan)], func(a, b v1.PlanEntry) bool { return a.Content == b.Content }) {
			i.Plan = entries
			return
		}
		break
	}
	if len(entries) > 0 {
		b.addItem(at, Item{Kind: Plan, Plan: entries})
	}
}

// name returns the type and the name of a block.
func name(b v1.Block) (what, title string) {
	switch b := b.(type) {
	case *v1.ImageBlock:
		return "image", b.MIMEType
	case *v1.AudioBlock:
		return "audio", b.MIMEType
	case *v1.ResourceLink:
		return "link", cmp.Or(b.Title, b.Name, b.URI)
	case *v1.EmbeddedResource:
		return "resource", b.Resource.URI
	}
	return "", ""
}
