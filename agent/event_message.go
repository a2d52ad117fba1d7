package agent

// TextDelta is a piece of the agent's answer.
type TextDelta struct {
	Text      Text   `json:"text" dialect:"piece"`
	MessageID string `json:"messageId,omitempty" jsonschema:"description=The message's id, shared by all its pieces. Optional."`
	Ends      []int  `json:"-"` // offsets in the text at which joined pieces end; nil for a single piece
	Base
}

// ThinkingDelta is a piece of the agent's thoughts.
type ThinkingDelta struct {
	Thinking  Text   `json:"thinking" dialect:"piece"`
	MessageID string `json:"messageId,omitempty"`
	Ends      []int  `json:"-"` // offsets in the text at which joined pieces end; nil for a single piece
	Base
}

// ContentBlock is a part of the answer other than plain text: an image, audio, a
// link or an embedded resource.
type ContentBlock struct {
	Content   Content `json:"content"`
	MessageID string  `json:"messageId,omitempty"`
	Base
}

// Citation names a source of the preceding part of the answer.
type Citation struct {
	URI       string `json:"uri" jsonschema:"description=The source's URI. Editors show http, https and file URIs as links."`
	Title     string `json:"title,omitempty" jsonschema:"description=The link text. Default: the uri."`
	MessageID string `json:"messageId,omitempty"`
	Base
}

// MessageStart begins a new message. The text that follows is shown separately.
type MessageStart struct {
	MessageID string `json:"messageId,omitempty"`
	Role      string `json:"role,omitempty"`
	Base
}

// MessageEnd ends the current message.
type MessageEnd struct {
	MessageID string `json:"messageId,omitempty"`
	Base
}

// A PlanEntry is one step of a plan.
type PlanEntry struct {
	Content  string `json:"content"`
	Status   string `json:"status,omitempty" jsonschema:"enum=pending,enum=in_progress,enum=completed,enum=cancelled"`
	Priority string `json:"priority,omitempty" jsonschema:"enum=high,enum=medium,enum=low"`
}

// Plan is a whole plan. It replaces the earlier plan with the same id.
type Plan struct {
	PlanID   string      `json:"planId,omitempty" jsonschema:"description=The plan's id, if there are several. Editors that support only one plan show the entries of all."`
	Entries  []PlanEntry `json:"entries,omitzero"`
	Markdown string      `json:"markdown,omitempty" jsonschema:"description=The plan as text, instead of entries. Editors that only support entries show it as a message."`
	URI      string      `json:"uri,omitempty" jsonschema:"description=A file with the plan, instead of entries. Editors that only support entries show it as a link."`
	Base
}

// PlanRemoved removes a plan.
type PlanRemoved struct {
	PlanID string `json:"planId,omitempty" jsonschema:"description=The plan's id. Default: the plan without an id."`
	Base
}

// UserMessage is a user message that reached the agent earlier or by another
// route than a prompt. Editors show it as the user's own message.
type UserMessage struct {
	Text      string    `json:"text,omitempty"`
	Content   []Content `json:"content,omitempty" jsonschema:"description=Content after the text, or instead of it."`
	MessageID string    `json:"messageId,omitempty"`
	Base
}

// Notice tells the user something that is not part of the answer.
type Notice struct {
	Severity    string `json:"severity,omitempty" jsonschema:"enum=info,enum=warning,enum=error"`
	Message     string `json:"message"`
	Description string `json:"description,omitempty"`
	Base
}

// ContextCompacted reports that the agent is shortening its context, or has done
// it. Status is in_progress, completed, failed or cancelled.
type ContextCompacted struct {
	CompactionID string `json:"compactionId,omitempty"`
	Status       string `json:"status,omitempty" jsonschema:"enum=in_progress,enum=completed,enum=failed,enum=cancelled"`
	Summary      string `json:"summary,omitempty"`
	Error        string `json:"error,omitempty"`
	Base
}

// StreamReset withdraws what the current step has streamed: its text is void, and
// its open tool calls did not happen.
type StreamReset struct {
	Reason string `json:"reason,omitempty"`
	Base
}

// Type implements [Event].
func (*TextDelta) Type() string { return "text_delta" }

// Type implements [Event].
func (*ThinkingDelta) Type() string { return "thinking_delta" }

// Type implements [Event].
func (*ContentBlock) Type() string { return "content" }

// Type implements [Event].
func (*Citation) Type() string { return "citation" }

// Type implements [Event].
func (*MessageStart) Type() string { return "message_start" }

// Type implements [Event].
func (*MessageEnd) Type() string { return "message_end" }

// Type implements [Event].
func (*Plan) Type() string { return "plan" }

// Type implements [Event].
func (*PlanRemoved) Type() string { return "plan_removed" }

// Type implements [Event].
func (*UserMessage) Type() string { return "user_message" }

// Type implements [Event].
func (*Notice) Type() string { return "notice" }

// Type implements [Event].
func (*ContextCompacted) Type() string { return "context_compacted" }

// Type implements [Event].
func (*StreamReset) Type() string { return "stream_reset" }
