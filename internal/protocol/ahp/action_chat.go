package ahp

import (
	"encoding/json"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// TurnStarted starts a turn.
type TurnStarted struct {
	TurnID          string  `json:"turnId"`
	StartedAt       string  `json:"startedAt"`
	Message         Message `json:"message"`
	QueuedMessageID string  `json:"queuedMessageId,omitempty"`
}

// ResponsePart adds a part to the answer.
type ResponsePart struct {
	TurnID string `json:"turnId"`
	Part   Part   `json:"part"`
}

// Delta adds text to a part of kind [PartMarkdown].
type Delta struct {
	TurnID  string       `json:"turnId"`
	PartID  string       `json:"partId"`
	Content rawjson.Text `json:"content"`
}

// Reasoning adds text to a part of kind [PartReasoning].
type Reasoning struct {
	TurnID  string       `json:"turnId"`
	PartID  string       `json:"partId"`
	Content rawjson.Text `json:"content"`
}

// ToolCallStart starts a call whose input is not complete yet.
type ToolCallStart struct {
	TurnID      string `json:"turnId"`
	ToolCallID  string `json:"toolCallId"`
	ToolName    string `json:"toolName"`
	DisplayName string `json:"displayName"`
}

// ToolCallReady completes the description of a call. If Confirmed is set, the call
// runs; otherwise it waits for a confirmation.
type ToolCallReady struct {
	TurnID            string    `json:"turnId"`
	ToolCallID        string    `json:"toolCallId"`
	InvocationMessage Prose     `json:"invocationMessage"`
	ToolInput         string    `json:"toolInput,omitempty"`
	ConfirmationTitle string    `json:"confirmationTitle,omitempty"`
	Edits             *Edits    `json:"edits,omitempty"`
	Confirmed         string    `json:"confirmed,omitempty"`
	Options           []Option  `json:"options,omitempty"`
	Meta              *CallMeta `json:"_meta,omitempty"`
}

// ToolCallConfirmed answers a request for confirmation.
type ToolCallConfirmed struct {
	TurnID           string `json:"turnId"`
	ToolCallID       string `json:"toolCallId"`
	Approved         bool   `json:"approved"`
	Confirmed        string `json:"confirmed,omitempty"`
	EditedToolInput  string `json:"editedToolInput,omitempty"`
	Reason           string `json:"reason,omitempty"`
	ReasonMessage    string `json:"reasonMessage,omitempty"`
	SelectedOptionID string `json:"selectedOptionId,omitempty"`
}

// ToolCallContentChanged replaces the content of a running call.
type ToolCallContentChanged struct {
	TurnID     string        `json:"turnId"`
	ToolCallID string        `json:"toolCallId"`
	Content    []ToolContent `json:"content"`
}

// ToolCallComplete ends a call.
type ToolCallComplete struct {
	TurnID     string     `json:"turnId"`
	ToolCallID string     `json:"toolCallId"`
	Result     ToolResult `json:"result"`
}

// TurnsLoaded inserts older turns before a chat's turns.
type TurnsLoaded struct {
	Turns           []json.RawMessage `json:"turns"` // each is a [Turn]
	TurnsNextCursor string            `json:"turnsNextCursor,omitempty"`
}

// TurnCompleted ends a successful turn. Duration is in milliseconds.
type TurnCompleted struct {
	TurnID   string `json:"turnId"`
	Duration int64  `json:"duration"`
}

// Truncated drops the turns after a turn, or all turns if TurnID is nil.
type Truncated struct {
	TurnID *string `json:"turnId,omitempty"`
}

// TurnWasCancelled ends a turn that the user stopped. Duration is in milliseconds.
type TurnWasCancelled struct {
	TurnID   string `json:"turnId"`
	Duration int64  `json:"duration"`
}

// TurnFailed adds a part of kind [PartError] to a turn and ends the turn.
type TurnFailed struct {
	TurnID   string `json:"turnId"`
	Duration int64  `json:"duration"`
	Part     Part   `json:"part"`
}

// UsageChanged sets a turn's usage.
type UsageChanged struct {
	TurnID string `json:"turnId"`
	Usage  Usage  `json:"usage"`
}

// PendingMessageSet adds or updates a pending message. A chat has at most one of kind
// [PendingSteering].
type PendingMessageSet struct {
	Kind    string  `json:"kind"`
	ID      string  `json:"id"`
	Message Message `json:"message"`
}

// PendingMessageRemoved removes a pending message.
type PendingMessageRemoved struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
}

// Kinds of pending messages.
const (
	PendingQueued   = "queued"
	PendingSteering = "steering"
)

// QueuedMessagesReordered changes the order of the queue.
type QueuedMessagesReordered struct {
	Order []string `json:"order"`
}

// DraftChanged sets the user's draft; nil clears it.
type DraftChanged struct {
	Draft *Message `json:"draft,omitempty"`
}

// InputRequested asks the user a question.
type InputRequested struct {
	Request InputRequest `json:"request"`
}

// InputAnswerChanged sets the draft of one answer; nil clears it.
type InputAnswerChanged struct {
	RequestID  string  `json:"requestId"`
	QuestionID string  `json:"questionId"`
	Answer     *Answer `json:"answer,omitempty"`
}

// InputCompleted answers a request for input.
type InputCompleted struct {
	RequestID string            `json:"requestId"`
	Response  string            `json:"response"`
	Answers   map[string]Answer `json:"answers,omitempty"`
}

// ActionType implements [Action].
func (*TurnStarted) ActionType() string { return "chat/turnStarted" }

// ActionType implements [Action].
func (*ResponsePart) ActionType() string { return "chat/responsePart" }

// ActionType implements [Action].
func (*Delta) ActionType() string { return "chat/delta" }

// ActionType implements [Action].
func (*Reasoning) ActionType() string { return "chat/reasoning" }

// ActionType implements [Action].
func (*ToolCallStart) ActionType() string { return "chat/toolCallStart" }

// ActionType implements [Action].
func (*ToolCallReady) ActionType() string { return "chat/toolCallReady" }

// ActionType implements [Action].
func (*ToolCallConfirmed) ActionType() string { return "chat/toolCallConfirmed" }

// ActionType implements [Action].
func (*ToolCallContentChanged) ActionType() string { return "chat/toolCallContentChanged" }

// ActionType implements [Action].
func (*ToolCallComplete) ActionType() string { return "chat/toolCallComplete" }

// ActionType implements [Action].
func (*TurnsLoaded) ActionType() string { return "chat/turnsLoaded" }

// ActionType implements [Action].
func (*TurnCompleted) ActionType() string { return "chat/turnComplete" }

// ActionType implements [Action].
func (*Truncated) ActionType() string { return "chat/truncated" }

// ActionType implements [Action].
func (*TurnWasCancelled) ActionType() string { return "chat/turnCancelled" }

// ActionType implements [Action].
func (*TurnFailed) ActionType() string { return "chat/error" }

// ActionType implements [Action].
func (*UsageChanged) ActionType() string { return "chat/usage" }

// ActionType implements [Action].
func (*PendingMessageSet) ActionType() string { return "chat/pendingMessageSet" }

// ActionType implements [Action].
func (*PendingMessageRemoved) ActionType() string { return "chat/pendingMessageRemoved" }

// ActionType implements [Action].
func (*QueuedMessagesReordered) ActionType() string { return "chat/queuedMessagesReordered" }

// ActionType implements [Action].
func (*DraftChanged) ActionType() string { return "chat/draftChanged" }

// ActionType implements [Action].
func (*InputRequested) ActionType() string { return "chat/inputRequested" }

// ActionType implements [Action].
func (*InputAnswerChanged) ActionType() string { return "chat/inputAnswerChanged" }

// ActionType implements [Action].
func (*InputCompleted) ActionType() string { return "chat/inputCompleted" }
