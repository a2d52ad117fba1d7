package v1

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// ToolKind is `ToolKind`.
type ToolKind string

// The values of `ToolKind`.
const (
	KindRead       ToolKind = "read"
	KindEdit       ToolKind = "edit"
	KindDelete     ToolKind = "delete"
	KindMove       ToolKind = "move"
	KindSearch     ToolKind = "search"
	KindExecute    ToolKind = "execute"
	KindThink      ToolKind = "think"
	KindFetch      ToolKind = "fetch"
	KindSwitchMode ToolKind = "switch_mode"
	KindOther      ToolKind = "other"
)

// ToolKinds lists the values of `ToolKind`.
var ToolKinds = []ToolKind{KindRead, KindEdit, KindDelete, KindMove, KindSearch, KindExecute, KindThink, KindFetch, KindSwitchMode, KindOther}

// ToolCallStatus is `ToolCallStatus`.
type ToolCallStatus string

// The values of `ToolCallStatus`.
const (
	StatusPending    ToolCallStatus = "pending"
	StatusInProgress ToolCallStatus = "in_progress"
	StatusCompleted  ToolCallStatus = "completed"
	StatusFailed     ToolCallStatus = "failed"
)

// ToolCallFields are the members that `ToolCall` and `ToolCallUpdate` share. Empty
// members are omitted, so the client keeps their values.
type ToolCallFields struct {
	ToolCallID string          `json:"toolCallId"`
	Title      string          `json:"title,omitempty"`
	Name       string          `json:"name,omitempty" jsonschema:"nullable"`
	Kind       ToolKind        `json:"kind,omitempty"`
	Status     ToolCallStatus  `json:"status,omitempty"`
	Content    ToolContents    `json:"content,omitempty"`
	Locations  []Location      `json:"locations,omitempty"`
	RawInput   json.RawMessage `json:"rawInput,omitempty"`
	RawOutput  json.RawMessage `json:"rawOutput,omitempty"`
	Meta       Meta            `json:"_meta,omitempty" jsonschema:"nullable"`
}

// CallIn returns the members of a tool call, or of an update of one. It returns nil for other
// updates.
func CallIn(u Update) *ToolCallFields {
	switch u := u.(type) {
	case *ToolCall:
		return &u.ToolCallFields
	case *ToolCallUpdate:
		return &u.ToolCallFields
	}
	return nil
}

// Location is `ToolCallLocation`.
type Location struct {
	Path string `json:"path"`
	Line *int   `json:"line,omitempty" jsonschema:"nullable"`
	Meta Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// A ToolContent is a `ToolCallContent`: [*ContentItem], [*DiffItem] or [*TerminalItem].
type ToolContent interface {
	ToolContentType() string
	appendJSON(dst []byte) []byte
}

// ContentItem is `Content`.
type ContentItem struct {
	Content Block `json:"content"`
	Meta    Meta  `json:"_meta,omitempty" jsonschema:"nullable"`
}

// DiffItem is `Diff`. A nil OldText means a new file.
type DiffItem struct {
	Path    string  `json:"path"`
	OldText *string `json:"oldText,omitempty" jsonschema:"nullable"`
	NewText string  `json:"newText"`
	Meta    Meta    `json:"_meta,omitempty" jsonschema:"nullable"`
}

// LineMeta is the `_meta` member of a [DiffItem] whose texts are only a part of the file:
// the line of the new file at which NewText begins, from 1.
const LineMeta = "turnwire.dev/line"

// TerminalItem is `Terminal`.
type TerminalItem struct {
	TerminalID string `json:"terminalId"`
	Meta       Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ToolContentType implements [ToolContent].
func (*ContentItem) ToolContentType() string { return "content" }

// ToolContentType implements [ToolContent].
func (*DiffItem) ToolContentType() string { return "diff" }

// ToolContentType implements [ToolContent].
func (*TerminalItem) ToolContentType() string { return "terminal" }

// NewToolContents lists the constructors of `ToolCallContent`.
var NewToolContents = []Variant[ToolContent]{
	{"content", func() ToolContent { return new(ContentItem) }},
	{"diff", func() ToolContent { return new(DiffItem) }},
	{"terminal", func() ToolContent { return new(TerminalItem) }},
}

// TextItem returns text as the content of a tool call.
func TextItem(text Text) *ContentItem {
	t := &struct {
		item  ContentItem
		block TextBlock
	}{block: TextBlock{Text: text}}
	t.item.Content = &t.block
	return &t.item
}

func (c *ContentItem) appendJSON(dst []byte) []byte {
	dst = append(dst, `{"type":"content","content":`...)
	dst = c.Content.appendJSON(dst)
	dst = metaMember(dst, c.Meta)
	return append(dst, '}')
}

func (d *DiffItem) appendJSON(dst []byte) []byte {
	return appendTagged(dst, "type", "diff", d)
}

func (t *TerminalItem) appendJSON(dst []byte) []byte {
	return appendTagged(dst, "type", "terminal", t)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *ContentItem) UnmarshalJSON(b []byte) error {
	var wire struct {
		Content json.RawMessage `json:"content"`
		Meta    Meta            `json:"_meta"`
	}
	if err := exactjson.Unmarshal(b, &wire); err != nil {
		return err
	}
	block, err := UnmarshalBlock(wire.Content)
	c.Content, c.Meta = block, wire.Meta
	return err
}

// ToolContents is the content of a tool call.
type ToolContents []ToolContent

func (cs ToolContents) appendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, c := range cs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.appendJSON(dst)
	}
	return append(dst, ']')
}

// MarshalJSON implements [json.Marshaler].
func (cs ToolContents) MarshalJSON() ([]byte, error) { return cs.appendJSON(nil), nil }

// UnmarshalJSON implements [json.Unmarshaler]. null leaves cs unchanged.
func (cs *ToolContents) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	var raws []json.RawMessage
	if err := exactjson.Unmarshal(b, &raws); err != nil {
		return err
	}
	out := make(ToolContents, len(raws))
	for i, raw := range raws {
		var tag struct {
			Type string `json:"type"`
		}
		if err := exactjson.Unmarshal(raw, &tag); err != nil {
			return err
		}
		content, ok := makeVariant(NewToolContents, tag.Type)
		if !ok {
			return fmt.Errorf("content[%d]: unknown type %q", i, tag.Type)
		}
		out[i] = content
		if err := exactjson.Unmarshal(raw, out[i]); err != nil {
			return fmt.Errorf("content[%d]: %w", i, err)
		}
	}
	*cs = out
	return nil
}

// appendMembers appends the fields to an object that was started in dst, in the
// schema's order.
func (f *ToolCallFields) appendMembers(dst []byte) []byte {
	dst = rawjson.AppendString(member(dst, "toolCallId"), f.ToolCallID)
	dst = stringMember(dst, "title", f.Title)
	dst = stringMember(dst, "name", f.Name)
	dst = stringMember(dst, "kind", string(f.Kind))
	dst = stringMember(dst, "status", string(f.Status))
	if f.Content != nil {
		dst = f.Content.appendJSON(member(dst, "content"))
	}
	if f.Locations != nil {
		dst = append(member(dst, "locations"), '[')
		for i, l := range f.Locations {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = l.appendJSON(dst)
		}
		dst = append(dst, ']')
	}
	dst = rawMember(dst, "rawInput", f.RawInput)
	dst = rawMember(dst, "rawOutput", f.RawOutput)
	return metaMember(dst, f.Meta)
}

func (l *Location) appendJSON(dst []byte) []byte {
	dst = rawjson.AppendString(append(dst, `{"path":`...), l.Path)
	if l.Line != nil {
		dst = strconv.AppendInt(member(dst, "line"), int64(*l.Line), 10)
	}
	return append(metaMember(dst, l.Meta), '}')
}
