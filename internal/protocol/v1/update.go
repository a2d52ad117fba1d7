package v1

import (
	"encoding/json"
	"fmt"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// An Update is a `SessionUpdate`. The union is closed; [NewUpdates] lists it.
type Update interface {
	// UpdateType returns the value of "sessionUpdate".
	UpdateType() string
	// AppendJSON appends the update's JSON, tag first.
	AppendJSON(dst []byte) []byte
}

// MessageChunk is `ContentChunk`, as user_message_chunk, agent_message_chunk or
// agent_thought_chunk, depending on Kind.
type MessageChunk struct {
	Kind      ChunkKind `json:"-"`
	Content   Block     `json:"content"`
	MessageID string    `json:"messageId,omitempty" jsonschema:"nullable"`
	Meta      Meta      `json:"_meta,omitempty" jsonschema:"nullable"`
}

// A ChunkKind distinguishes the chunks of user messages, agent messages and thoughts.
type ChunkKind string

// The kinds of chunk.
const (
	UserMessage  ChunkKind = "user_message_chunk"
	AgentMessage ChunkKind = "agent_message_chunk"
	AgentThought ChunkKind = "agent_thought_chunk"
)

// ToolCall is `ToolCall`: a tool call's first appearance.
type ToolCall struct{ ToolCallFields }

// ToolCallUpdate is `ToolCallUpdate`: changes to a tool call.
type ToolCallUpdate struct{ ToolCallFields }

// Plan is `Plan`.
type Plan struct {
	Entries []PlanEntry `json:"entries"`
	Meta    Meta        `json:"_meta,omitempty" jsonschema:"nullable"`
}

// PlanUpdate is `PlanUpdate`, for clients with the capability plan. PlanUpdate and its
// parts are unstable.
type PlanUpdate struct {
	Plan PlanContent `json:"plan"`
	Meta Meta        `json:"_meta,omitempty" jsonschema:"nullable"`
}

// PlanContent is `PlanUpdateContent`. Its type determines which members are set.
type PlanContent struct {
	Type    PlanType    `json:"type"`
	PlanID  string      `json:"planId"`
	Entries []PlanEntry `json:"entries,omitzero"`
	Content *string     `json:"content,omitempty"`
	URI     string      `json:"uri,omitempty"`
	Meta    Meta        `json:"_meta,omitempty" jsonschema:"nullable"`
}

// A PlanType is the type of a [PlanContent].
type PlanType string

// The types of plans.
const (
	PlanItems    PlanType = "items"
	PlanFile     PlanType = "file"
	PlanMarkdown PlanType = "markdown"
)

// PlanRemoved is `PlanRemoved`, for clients with the capability plan. It is
// unstable.
type PlanRemoved struct {
	PlanID string `json:"planId"`
	Meta   Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// PlanEntry is `PlanEntry`.
type PlanEntry struct {
	Content  string            `json:"content"`
	Priority PlanEntryPriority `json:"priority"`
	Status   PlanEntryStatus   `json:"status"`
	Meta     Meta              `json:"_meta,omitempty" jsonschema:"nullable"`
}

// PlanEntryPriority is `PlanEntryPriority`.
type PlanEntryPriority string

// PlanEntryStatus is `PlanEntryStatus`.
type PlanEntryStatus string

// AvailableCommandsUpdate is `AvailableCommandsUpdate`.
type AvailableCommandsUpdate struct {
	AvailableCommands []AvailableCommand `json:"availableCommands"`
	Meta              Meta               `json:"_meta,omitempty" jsonschema:"nullable"`
}

// AvailableCommand is `AvailableCommand`.
type AvailableCommand struct {
	Name        string        `json:"name"`
	Description string        `json:"description"`
	Input       *CommandInput `json:"input,omitempty" jsonschema:"nullable"`
	Meta        Meta          `json:"_meta,omitempty" jsonschema:"nullable"`
}

// CommandInput is `UnstructuredCommandInput`.
type CommandInput struct {
	Hint string `json:"hint"`
	Meta Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// CurrentModeUpdate is `CurrentModeUpdate`.
type CurrentModeUpdate struct {
	CurrentModeID string `json:"currentModeId"`
	Meta          Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ConfigOptionUpdate is `ConfigOptionUpdate`: all options with their current
// values.
type ConfigOptionUpdate struct {
	ConfigOptions []ConfigOption `json:"configOptions"`
	Meta          Meta           `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SessionInfoUpdate is `SessionInfoUpdate`.
type SessionInfoUpdate struct {
	Title     string `json:"title,omitempty" jsonschema:"nullable"`
	UpdatedAt string `json:"updatedAt,omitempty" jsonschema:"nullable"`
	Meta      Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// UsageUpdate is `UsageUpdate`.
type UsageUpdate struct {
	Used uint64 `json:"used"`
	Size uint64 `json:"size"`
	Cost *Cost  `json:"cost,omitempty" jsonschema:"nullable"`
	Meta Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// Cost is `Cost`.
type Cost struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
	Meta     Meta    `json:"_meta,omitempty" jsonschema:"nullable"`
}

// Notice is `Notice`, for clients with the capability session.notices.
type Notice struct {
	Severity    string `json:"severity"`
	Title       string `json:"title"`
	Description string `json:"description,omitempty" jsonschema:"nullable"`
	Meta        Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// CompactionUpdate is `CompactionUpdate`, for clients with the capability
// session.compaction.
type CompactionUpdate struct {
	CompactionID string `json:"compactionId"`
	Status       string `json:"status"`
	Summary      Blocks `json:"summary,omitempty" jsonschema:"nullable"`
	Error        string `json:"error,omitempty" jsonschema:"nullable"`
	Meta         Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// UpdateType implements [Update].
func (c *MessageChunk) UpdateType() string { return string(c.Kind) }

// UpdateType implements [Update].
func (*ToolCall) UpdateType() string { return "tool_call" }

// UpdateType implements [Update].
func (*ToolCallUpdate) UpdateType() string { return "tool_call_update" }

// UpdateType implements [Update].
func (*Plan) UpdateType() string { return "plan" }

// UpdateType implements [Update].
func (*PlanUpdate) UpdateType() string { return "plan_update" }

// UpdateType implements [Update].
func (*PlanRemoved) UpdateType() string { return "plan_removed" }

// UpdateType implements [Update].
func (*AvailableCommandsUpdate) UpdateType() string { return "available_commands_update" }

// UpdateType implements [Update].
func (*CurrentModeUpdate) UpdateType() string { return "current_mode_update" }

// UpdateType implements [Update].
func (*ConfigOptionUpdate) UpdateType() string { return "config_option_update" }

// UpdateType implements [Update].
func (*SessionInfoUpdate) UpdateType() string { return "session_info_update" }

// UpdateType implements [Update].
func (*UsageUpdate) UpdateType() string { return "usage_update" }

// UpdateType implements [Update].
func (*Notice) UpdateType() string { return "notice" }

// UpdateType implements [Update].
func (*CompactionUpdate) UpdateType() string { return "compaction_update" }

// NewUpdates lists the constructors of `SessionUpdate`. To add an update, add it here.
var NewUpdates = []Variant[Update]{
	{"user_message_chunk", func() Update { return &MessageChunk{Kind: UserMessage} }},
	{"agent_message_chunk", func() Update { return &MessageChunk{Kind: AgentMessage} }},
	{"agent_thought_chunk", func() Update { return &MessageChunk{Kind: AgentThought} }},
	{"tool_call", func() Update { return new(ToolCall) }},
	{"tool_call_update", func() Update { return new(ToolCallUpdate) }},
	{"plan", func() Update { return new(Plan) }},
	{"plan_update", func() Update { return new(PlanUpdate) }},
	{"plan_removed", func() Update { return new(PlanRemoved) }},
	{"available_commands_update", func() Update { return new(AvailableCommandsUpdate) }},
	{"current_mode_update", func() Update { return new(CurrentModeUpdate) }},
	{"config_option_update", func() Update { return new(ConfigOptionUpdate) }},
	{"session_info_update", func() Update { return new(SessionInfoUpdate) }},
	{"usage_update", func() Update { return new(UsageUpdate) }},
	{"notice", func() Update { return new(Notice) }},
	{"compaction_update", func() Update { return new(CompactionUpdate) }},
	{"subagent_update", func() Update { return new(SubagentUpdate) }},
	{"session_message", func() Update { return new(SessionMessage) }},
	{"cursor_update", func() Update { return new(CursorUpdate) }},
}

// UnmarshalUpdate decodes one `SessionUpdate`.
func UnmarshalUpdate(raw []byte) (Update, error) {
	if c := plainChunk(raw); c != nil {
		return c, nil
	}
	if c := quickCall(raw); c != nil {
		return c, nil
	}
	return unmarshalUpdate(raw)
}

func unmarshalUpdate(raw []byte) (Update, error) {
	var tag struct {
		Type string `json:"sessionUpdate"`
	}
	if err := exactjson.Unmarshal(raw, &tag); err != nil {
		return nil, err
	}
	u, ok := makeVariant(NewUpdates, tag.Type)
	if !ok {
		return nil, fmt.Errorf("unknown session update %q", tag.Type)
	}
	if err := exactjson.Unmarshal(raw, u); err != nil {
		return nil, fmt.Errorf("session update %s: %w", tag.Type, err)
	}
	return u, nil
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *MessageChunk) UnmarshalJSON(b []byte) error {
	var wire struct {
		Content   json.RawMessage `json:"content"`
		MessageID string          `json:"messageId"`
		Meta      Meta            `json:"_meta"`
	}
	if err := exactjson.Unmarshal(b, &wire); err != nil {
		return err
	}
	block, err := UnmarshalBlock(wire.Content)
	c.Content, c.MessageID, c.Meta = block, wire.MessageID, wire.Meta
	return err
}

// UnmarshalJSON implements [json.Unmarshaler].
func (n *SessionNotification) UnmarshalJSON(b []byte) error {
	var wire struct {
		SessionID string          `json:"sessionId"`
		Update    json.RawMessage `json:"update"`
		Meta      Meta            `json:"_meta"`
	}
	if err := exactjson.Unmarshal(b, &wire); err != nil {
		return err
	}
	u, err := UnmarshalUpdate(wire.Update)
	n.SessionID, n.Update, n.Meta = wire.SessionID, u, wire.Meta
	return err
}

func open(dst []byte, tag string) []byte {
	dst = append(dst, `{"sessionUpdate":"`...)
	return append(append(dst, tag...), '"')
}

// AppendJSON implements [Update].
func (c *MessageChunk) AppendJSON(dst []byte) []byte {
	dst = c.Content.appendJSON(member(open(dst, string(c.Kind)), "content"))
	dst = stringMember(dst, "messageId", c.MessageID)
	return append(metaMember(dst, c.Meta), '}')
}

// AppendJSON implements [Update].
func (t *ToolCall) AppendJSON(dst []byte) []byte {
	return append(t.appendMembers(open(dst, "tool_call")), '}')
}

// AppendJSON implements [Update].
func (t *ToolCallUpdate) AppendJSON(dst []byte) []byte {
	return append(t.appendMembers(open(dst, "tool_call_update")), '}')
}

// MarshalJSON writes the update without its tag, as in a permission request.
func (t ToolCallUpdate) MarshalJSON() ([]byte, error) {
	return append(t.appendMembers([]byte{'{'}), '}'), nil
}

// AppendJSON implements [Update].
func (p *Plan) AppendJSON(dst []byte) []byte {
	return appendTagged(dst, "sessionUpdate", "plan", p)
}

// AppendJSON implements [Update].
func (p *PlanUpdate) AppendJSON(dst []byte) []byte {
	return appendTagged(dst, "sessionUpdate", "plan_update", p)
}

// AppendJSON implements [Update].
func (p *PlanRemoved) AppendJSON(dst []byte) []byte {
	return appendTagged(dst, "sessionUpdate", "plan_removed", p)
}

// AppendJSON implements [Update].
func (a *AvailableCommandsUpdate) AppendJSON(dst []byte) []byte {
	return appendTagged(dst, "sessionUpdate", "available_commands_update", a)
}

// AppendJSON implements [Update].
func (m *CurrentModeUpdate) AppendJSON(dst []byte) []byte {
	return appendTagged(dst, "sessionUpdate", "current_mode_update", m)
}

// AppendJSON implements [Update].
func (c *ConfigOptionUpdate) AppendJSON(dst []byte) []byte {
	return appendTagged(dst, "sessionUpdate", "config_option_update", c)
}

// AppendJSON implements [Update].
func (s *SessionInfoUpdate) AppendJSON(dst []byte) []byte {
	return appendTagged(dst, "sessionUpdate", "session_info_update", s)
}

// AppendJSON implements [Update].
func (u *UsageUpdate) AppendJSON(dst []byte) []byte {
	return appendTagged(dst, "sessionUpdate", "usage_update", u)
}

// AppendJSON implements [Update].
func (n *Notice) AppendJSON(dst []byte) []byte {
	return appendTagged(dst, "sessionUpdate", "notice", n)
}

// AppendJSON implements [Update].
func (c *CompactionUpdate) AppendJSON(dst []byte) []byte {
	return appendTagged(dst, "sessionUpdate", "compaction_update", c)
}

// AppendNotification appends the whole session/update message for u, without a newline.
func AppendNotification(dst []byte, sessionID string, u Update) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":`...)
	dst = rawjson.AppendString(dst, sessionID)
	dst = append(dst, `,"update":`...)
	return append(u.AppendJSON(dst), `}}`...)
}

// AppendChunkHead appends the part of a message chunk's line before the text. The
// caller must append the body of a JSON string and [ChunkTail]. Except for the order of
// members, the line is the same as AppendNotification writes for a [MessageChunk].
func AppendChunkHead(dst []byte, sessionID string, kind ChunkKind, messageID string) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":`...)
	dst = rawjson.AppendString(dst, sessionID)
	dst = append(dst, `,"update":`...)
	dst = stringMember(open(dst, string(kind)), "messageId", messageID)
	return append(dst, `,"content":{"type":"text","text":"`...)
}

// ChunkTail is the part of a message chunk's line after the text, including the
// newline.
const ChunkTail = "\"}}}}\n"
