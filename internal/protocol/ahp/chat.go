package ahp

import (
	"encoding/json"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// Chat is the state of a chat.
type Chat struct {
	Resource   string `json:"resource"`
	Title      string `json:"title"`
	Status     Status `json:"status"`
	ModifiedAt string `json:"modifiedAt"`
	Turns      []Turn `json:"turns"`
	// TurnsNextCursor is where the turns begin that are older than Turns; "" if there are
	// none.
	TurnsNextCursor string           `json:"turnsNextCursor,omitempty"`
	ActiveTurn      *Turn            `json:"activeTurn,omitempty"`
	QueuedMessages  []PendingMessage `json:"queuedMessages,omitempty"`
	Draft           *Message         `json:"draft,omitempty"`
}

// A Turn is a message and what came of it. One that runs has no State.
type Turn struct {
	ID            string  `json:"id"`
	StartedAt     string  `json:"startedAt,omitempty"`
	Duration      *int64  `json:"duration,omitempty"` // milliseconds
	Message       Message `json:"message"`
	ResponseParts []Part  `json:"responseParts"`
	Usage         *Usage  `json:"usage,omitempty"`
	State         string  `json:"state,omitempty"`
}

// How a turn has ended.
const (
	TurnComplete  = "complete"
	TurnCancelled = "cancelled"
	TurnError     = "error"
)

// A Message begins a turn. Attachments are kept as they came.
type Message struct {
	Text        string          `json:"text"`
	Origin      Origin          `json:"origin"`
	Attachments []Attachment    `json:"attachments,omitempty"`
	Model       *ModelSelection `json:"model,omitempty"`
	Agent       json.RawMessage `json:"agent,omitempty"`
	Meta        json.RawMessage `json:"_meta,omitempty"`
}

// Origin is who has written a message.
type Origin struct {
	Kind string `json:"kind"`
}

// FromUser is the origin of what a user has written.
const FromUser = "user"

// An Attachment belongs to a message; its type says which members there are.
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

// A PendingMessage waits for its turn.
type PendingMessage struct {
	ID      string  `json:"id"`
	Message Message `json:"message"`
}

// Usage is what a turn has used. Meta has the window and the cost, for which the
// protocol has no members.
type Usage struct {
	InputTokens  uint64         `json:"inputTokens,omitempty"`
	OutputTokens uint64         `json:"outputTokens,omitempty"`
	Model        string         `json:"model,omitempty"`
	Meta         map[string]any `json:"_meta,omitempty"`
}

// A Part is a part of an answer; its kind says which members there are.
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

// Text is a text that grows at its end without being copied each time.
type Text struct{ text []byte }

// NewText returns a text.
func NewText(s string) *Text { return &Text{[]byte(s)} }

// String is the text.
func (t *Text) String() string { return string(t.text) }

// UnmarshalJSON implements [json.Unmarshaler].
func (t *Text) UnmarshalJSON(b []byte) error {
	var s string
	err := exactjson.Unmarshal(b, &s)
	t.text = []byte(s)
	return err
}

// MarshalJSON implements [json.Marshaler].
func (t *Text) MarshalJSON() ([]byte, error) { return json.Marshal(string(t.text)) }
