package ahp

import (
	"bytes"
	"encoding/json"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// Chat is the state of a chat.
type Chat struct {
	Resource   string `json:"resource"`
	Title      string `json:"title"`
	Status     Status `json:"status"`
	ModifiedAt string `json:"modifiedAt"`
	Turns      []Turn `json:"turns"`
	// TurnsNextCursor is the cursor of the turns before Turns; "" means that Turns is
	// complete.
	TurnsNextCursor string           `json:"turnsNextCursor,omitempty"`
	ActiveTurn      *Turn            `json:"activeTurn,omitempty"`
	SteeringMessage *PendingMessage  `json:"steeringMessage,omitempty"`
	QueuedMessages  []PendingMessage `json:"queuedMessages,omitempty"`
	Draft           *Message         `json:"draft,omitempty"`
}

// A Turn is a message and the response to it. A running turn has no State.
type Turn struct {
	ID            string  `json:"id"`
	StartedAt     string  `json:"startedAt,omitempty"`
	Duration      *int64  `json:"duration,omitempty"` // milliseconds
	Message       Message `json:"message"`
	ResponseParts []Part  `json:"responseParts"`
	Usage         *Usage  `json:"usage,omitempty"`
	State         string  `json:"state,omitempty"`
}

// How a turn ended.
const (
	TurnComplete  = "complete"
	TurnCancelled = "cancelled"
	TurnError     = "error"
)

// A Message starts a turn. Its attachments are stored unchanged.
type Message struct {
	Text        string          `json:"text"`
	Origin      Origin          `json:"origin"`
	Attachments []Attachment    `json:"attachments,omitempty"`
	Model       *ModelSelection `json:"model,omitempty"`
	Agent       json.RawMessage `json:"agent,omitempty"`
	Meta        json.RawMessage `json:"_meta,omitempty"`
}

// Origin says who wrote a message.
type Origin struct {
	Kind string `json:"kind"`
}

// FromUser is the origin of a user's message.
const FromUser = "user"

// An Attachment belongs to a message. Its type determines which members are set.
type Attachment struct {
	Type                string          `json:"type"`
	Label               string          `json:"label"`
	DisplayKind         string          `json:"displayKind,omitempty"`
	ModelRepresentation string          `json:"modelRepresentation,omitempty"`
	Data                string          `json:"data,omitempty"`
	ContentType         string          `json:"contentType,omitempty"`
	URI                 string          `json:"uri,omitempty"`
	Range               json.RawMessage `json:"range,omitempty"`
	Selection           json.RawMessage `json:"selection,omitempty"`
	Meta                json.RawMessage `json:"_meta,omitempty"`
}

// Types of an [Attachment].
const (
	AttachSimple   = "simple"
	AttachEmbedded = "embeddedResource"
	AttachResource = "resource"
)

// A PendingMessage waits for the agent to read it in the running turn, or is queued for a
// later one.
type PendingMessage struct {
	ID      string  `json:"id"`
	Message Message `json:"message"`
}

// Usage is a turn's usage. Meta has the context window and the cost, because AHP has no
// members for them.
type Usage struct {
	InputTokens  uint64         `json:"inputTokens,omitempty"`
	OutputTokens uint64         `json:"outputTokens,omitempty"`
	Model        string         `json:"model,omitempty"`
	Meta         map[string]any `json:"_meta,omitempty"`
}

// A Part is a part of a response. Its kind determines which members are set.
type Part struct {
	Kind     string        `json:"kind"`
	ID       string        `json:"id,omitempty"`
	Content  *Text         `json:"content,omitempty"`
	ToolCall *ToolCall     `json:"toolCall,omitempty"`
	Request  *InputRequest `json:"request,omitempty"`
	Response string        `json:"response,omitempty"`
	Error    *ErrorInfo    `json:"error,omitempty"`
}

// Kinds of a [Part].
const (
	PartMarkdown     = "markdown"
	PartReasoning    = "reasoning"
	PartToolCall     = "toolCall"
	PartNotification = "systemNotification"
	PartInput        = "inputRequest"
	PartError        = "error"
)

// Text is a text that can be appended to without being copied each time. It is kept in its
// JSON form.
type Text struct{ body rawjson.String }

// NewText returns s as a Text.
func NewText(s string) *Text { return &Text{rawjson.Quote(s)} }

// String returns the decoded text.
func (t *Text) String() string { return t.body.String() }

// clone returns a copy of t that can grow without t.
func (t *Text) clone() *Text { return &Text{bytes.Clone(t.body)} }

// UnmarshalJSON implements [json.Unmarshaler].
func (t *Text) UnmarshalJSON(b []byte) error { return t.body.UnmarshalJSON(b) }

// MarshalJSON implements [json.Marshaler].
func (t *Text) MarshalJSON() ([]byte, error) { return t.body.MarshalJSON() }
