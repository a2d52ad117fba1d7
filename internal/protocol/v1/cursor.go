package v1

// CursorUpdate is `CursorUpdate`, for clients with the capability session.cursors. It
// announces a position in the session, or changes which methods accept it. It is
// unstable, and version 1.20 of the schema has it.
type CursorUpdate struct {
	CursorID string `json:"cursorId"`
	// Capabilities replace the earlier ones. Nil leaves them unchanged.
	Capabilities *CursorCapabilities `json:"capabilities,omitempty" jsonschema:"nullable"`
	// Anchor is set in a cursor's first update.
	Anchor *CursorAnchor `json:"anchor,omitempty" jsonschema:"nullable"`
	Meta   Meta          `json:"_meta,omitempty" jsonschema:"nullable"`
}

// CursorCapabilities is `CursorCapabilities`: the methods that accept a cursor.
type CursorCapabilities struct {
	Fork *Marker `json:"fork,omitempty" jsonschema:"nullable"` // session/fork
	Meta Meta    `json:"_meta,omitempty" jsonschema:"nullable"`
}

// CursorAnchor is `CursorAnchor`: the message or tool call next to a cursor.
type CursorAnchor struct {
	Type       string `json:"type"`
	MessageID  string `json:"messageId,omitempty"`
	ToolCallID string `json:"toolCallId,omitempty"`
	Position   string `json:"position"`
	Meta       Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// The values of a [CursorAnchor] that Turnwire uses.
const (
	CursorUserMessage = "user_message"
	CursorBefore      = "before"
	CursorAfter       = "after"
)

// UpdateType implements [Update].
func (*CursorUpdate) UpdateType() string { return "cursor_update" }

// AppendJSON implements [Update].
func (c *CursorUpdate) AppendJSON(dst []byte) []byte {
	return appendTagged(dst, "sessionUpdate", "cursor_update", c)
}

// MaxMessageID bounds the id that a client gives its message, in bytes.
const MaxMessageID = 128

// MessageID returns the id that the client gave the prompt with [MessageIDMeta], or "".
func (p *PromptRequest) MessageID() string {
	id, _ := p.Meta[MessageIDMeta].(string)
	if len(id) > MaxMessageID {
		return ""
	}
	return id
}
