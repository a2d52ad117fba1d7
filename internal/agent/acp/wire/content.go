package wire

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// block is `ContentBlock`, which has the format of [agent.Content].
type block struct{ agent.Content }

// UnmarshalJSON rejects unknown types of content.
func (b *block) UnmarshalJSON(raw []byte) error {
	if err := exactjson.Unmarshal(raw, &b.Content); err != nil {
		return err
	}
	switch b.Type {
	case "text", "image", "audio", "resource_link", "resource":
		return nil
	}
	return fmt.Errorf("unknown content type %.80q", b.Type)
}

// content is the content of a tool call: diffs, and all other items.
type content struct {
	diffs []agent.Diff
	items []agent.Content
}

// parseContent skips malformed items, as the protocol's schema requires.
func parseContent(raws []json.RawMessage) content {
	var c content
	for _, raw := range raws {
		var item struct {
			Type       string  `json:"type"`
			Content    block   `json:"content"`
			Path       string  `json:"path"`
			OldText    *string `json:"oldText"`
			NewText    string  `json:"newText"`
			TerminalID string  `json:"terminalId"`
		}
		if exactjson.Unmarshal(raw, &item) != nil {
			continue
		}
		switch item.Type {
		case "content":
			if item.Content.Type != "" {
				c.items = append(c.items, item.Content.Content)
			}
		case "diff":
			c.diffs = append(c.diffs, agent.Diff{Path: item.Path, OldText: item.OldText, NewText: item.NewText})
		case "terminal":
			// The agent was offered no terminals, so this one can't be shown.
			c.items = append(c.items, agent.Content{Type: "text", Text: "[terminal " + item.TerminalID + "]"})
		}
	}
	return c
}

// text returns the content's text. whole reports whether there are no other
// items.
func (c *content) text() (text string, whole bool) {
	whole = true
	var parts []string
	for _, item := range c.items {
		if item.Type == "text" {
			parts = append(parts, item.Text)
		} else {
			whole = false
		}
	}
	return strings.Join(parts, "\n"), whole
}
