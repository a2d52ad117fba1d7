package agent

import "encoding/json"

// An Event is one message from an agent. It is one of the types that [Variants]
// lists, always as a pointer.
type Event interface {
	// Type returns the value of "type" in the event's JSON.
	Type() string
	// Common returns the fields that every event has. Only [Base] provides it,
	// which closes the union.
	Common() *Base
	sealed()
}

// Base holds the members that every event may have.
type Base struct {
	// TurnID names the turn of the event: the "turnId" of the prompt. It is
	// optional. An event that names another turn than the running one is late,
	// and is dropped.
	TurnID string `json:"turnId,omitempty" jsonschema:"description=The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped."`
	// Extra holds the members that the event's type does not define, as
	// `"name":value` pairs separated by commas, in the order of the wire.
	Extra []byte `json:"-"`
}

// Common returns b.
func (b *Base) Common() *Base { return b }

func (*Base) sealed() {}

// An Audience says who may see an event. Internal and dashboard progress never
// reaches the user; a failure always does.
type Audience string

// The audiences of seed 000.
const (
	ForAnyone    Audience = ""
	ForUser      Audience = "user"
	ForInternal  Audience = "internal"
	ForDashboard Audience = "dashboard"
)

// A Location is a place in a file that a tool works on.
type Location struct {
	Path string `json:"path" jsonschema:"description=Absolute or relative to the session's working directory."`
	Line int    `json:"line,omitempty" jsonschema:"minimum=1,description=1-based line number."`
}

// A Diff is a change of one file. A nil OldText means that the file is new.
type Diff struct {
	Path    string  `json:"path"`
	OldText *string `json:"oldText,omitempty" jsonschema:"description=The text before the change. Absent for a new file."`
	NewText string  `json:"newText"`
}

// A View says how a tool call is shown. Every part is optional: missing parts
// are derived from the tool's name and its arguments.
type View struct {
	Title     string     `json:"title,omitempty" jsonschema:"description=One line for people, such as Read main.go."`
	Kind      string     `json:"kind,omitempty" jsonschema:"enum=read,enum=edit,enum=delete,enum=move,enum=search,enum=execute,enum=think,enum=fetch,enum=switch_mode,enum=other,description=The icon to show."`
	Locations []Location `json:"locations,omitempty"`
	Diffs     []Diff     `json:"diffs,omitempty" jsonschema:"description=The changes that the call makes or has made."`
	// TerminalID adds a terminal to those that are shown in the call.
	TerminalID string `json:"terminalId,omitempty" jsonschema:"description=A terminal that the agent has created with editor_request: the editor shows it in the call."`
}

// Content is one block of a user's or an agent's message, in the form that MCP
// and ACP share. Type is text, image, audio, resource_link or resource.
type Content struct {
	Type     string    `json:"type" jsonschema:"enum=text,enum=image,enum=audio,enum=resource_link,enum=resource"`
	Text     string    `json:"text,omitempty"`
	Data     string    `json:"data,omitempty" jsonschema:"description=Base64."`
	MIMEType string    `json:"mimeType,omitempty"`
	URI      string    `json:"uri,omitempty"`
	Name     string    `json:"name,omitempty"`
	Title    string    `json:"title,omitempty"`
	Size     *int64    `json:"size,omitempty"`
	Resource *Resource `json:"resource,omitempty"`
}

// Resource is an embedded resource: either text, or bytes in base64.
type Resource struct {
	URI      string  `json:"uri"`
	MIMEType string  `json:"mimeType,omitempty"`
	Text     *string `json:"text,omitempty"`
	Blob     *string `json:"blob,omitempty" jsonschema:"description=Base64."`
}

// A Variant is one member of the union.
type Variant struct {
	New func() Event // one sentence: what the event means
	Doc string       // one sentence: what the event says
}

// Raw is an unchanged JSON value: its order, large integers and unknown fields
// are kept.
type Raw = json.RawMessage
