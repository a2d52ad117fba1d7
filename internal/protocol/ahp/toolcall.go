package ahp

import "github.com/turnwire/turnwire/internal/rawjson"

// A ToolCallStatus is the status of a tool call.
type ToolCallStatus string

// The values of a [ToolCallStatus].
const (
	CallStreaming ToolCallStatus = "streaming"
	CallPending   ToolCallStatus = "pending-confirmation"
	CallRunning   ToolCallStatus = "running"
	CallCompleted ToolCallStatus = "completed"
	CallCancelled ToolCallStatus = "cancelled"
)

// How a call was confirmed, and why it was cancelled.
const (
	ConfirmedNotNeeded = "not-needed"
	ConfirmedByUser    = "user-action"
	ReasonDenied       = "denied"
	ReasonSkipped      = "skipped"
)

// A ToolCall is the state of a tool call. Its status determines which members are set.
type ToolCall struct {
	Status            ToolCallStatus `json:"status"`
	ToolCallID        string         `json:"toolCallId"`
	ToolName          string         `json:"toolName"`
	DisplayName       string         `json:"displayName"`
	Meta              *CallMeta      `json:"_meta,omitempty"`
	PartialInput      string         `json:"partialInput,omitempty"`
	InvocationMessage Prose          `json:"invocationMessage,omitzero"`
	ToolInput         string         `json:"toolInput,omitempty"`
	ConfirmationTitle string         `json:"confirmationTitle,omitempty"`
	Edits             *Edits         `json:"edits,omitempty"`
	Options           []Option       `json:"options,omitempty"`
	Confirmed         string         `json:"confirmed,omitempty"`
	SelectedOption    *Option        `json:"selectedOption,omitempty"`
	Success           *bool          `json:"success,omitempty"`
	PastTenseMessage  string         `json:"pastTenseMessage,omitempty"`
	Content           []ToolContent  `json:"content,omitempty"`
	Error             *ToolError     `json:"error,omitempty"`
	Reason            string         `json:"reason,omitempty"`
	ReasonMessage     string         `json:"reasonMessage,omitempty"`
}

// CallMeta is the `_meta` of a tool call.
type CallMeta struct {
	Kind string `json:"toolKind,omitempty"`
}

// KindTerminal is the kind of calls whose input is a command. VS Code shows it as code.
const KindTerminal = "terminal"

// Edits are the changes that a call would make.
type Edits struct {
	Items []FileEdit `json:"items"`
}

// An Option is a possible answer to a confirmation.
type Option struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Kind  string `json:"kind"`
	Group int    `json:"group,omitempty"`
}

// Kinds of an [Option].
const (
	Approve = "approve"
	Deny    = "deny"
)

// A ToolResult is the outcome of a call.
type ToolResult struct {
	Success          bool          `json:"success"`
	PastTenseMessage string        `json:"pastTenseMessage"`
	Content          []ToolContent `json:"content,omitempty"`
	Error            *ToolError    `json:"error,omitempty"`
}

// A ToolError says why a call failed.
type ToolError struct {
	Message string `json:"message"`
	Code    string `json:"code,omitempty"`
}

// A ToolContent is a part of a call's output. Its type determines which members are
// set.
type ToolContent struct {
	Type        string        `json:"type"`
	Text        *rawjson.Text `json:"text,omitempty"`
	Data        string        `json:"data,omitempty"`
	ContentType string        `json:"contentType,omitempty"`
	URI         string        `json:"uri,omitempty"`
	Before      *FileEditSide `json:"before,omitempty"`
	After       *FileEditSide `json:"after,omitempty"`
	Diff        *DiffStats    `json:"diff,omitempty"`
}

// Types of a [ToolContent].
const (
	ContentText     = "text"
	ContentEmbedded = "embeddedResource"
	ContentResource = "resource"
	ContentFileEdit = "fileEdit"
)

// A FileEdit is a change to a file. Before is absent for a new file.
type FileEdit struct {
	Before *FileEditSide `json:"before,omitempty"`
	After  *FileEditSide `json:"after,omitempty"`
	Diff   *DiffStats    `json:"diff,omitempty"`
}

// A FileEditSide is a file before or after a change. Clients fetch its text with
// resourceRead.
type FileEditSide struct {
	URI     string     `json:"uri"`
	Content ContentRef `json:"content"`
}

// A ContentRef says where to read a text.
type ContentRef struct {
	URI         string `json:"uri"`
	SizeHint    int    `json:"sizeHint,omitempty"`
	ContentType string `json:"contentType,omitempty"`
}

// DiffStats counts lines.
type DiffStats struct {
	Added   int `json:"added"`
	Removed int `json:"removed"`
}
