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
	// TurnID is the "turnId" of the prompt that the event belongs to. It is
	// optional. An event that names a turn other than the running one is late
	// and is dropped.
	TurnID string `json:"turnId,omitempty" jsonschema:"description=The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped."`
	// Extra holds the members that the event's type does not define, as
	// `"name":value` pairs separated by commas, in their original order.
	Extra []byte `json:"-"`
}

// Common returns b.
func (b *Base) Common() *Base { return b }

func (*Base) sealed() {}

// An Audience says who may see an event. Internal and dashboard progress is
// never shown to the user; a failure always is.
type Audience string

// The audiences, which are those of Ethos.
const (
	ForAnyone    Audience = ""
	ForUser      Audience = "user"
	ForInternal  Audience = "internal"
	ForDashboard Audience = "dashboard"
)

// A Location is a place in a file that a tool works on.
type Location struct {
	Path string `json:"path" jsonschema:"description=Absolute, or relative to the session's working directory."`
	Line int    `json:"line,omitempty" jsonschema:"minimum=1,description=The line number, starting at 1."`
}

// A Diff is a change to one file. OldText is nil if the file is new.
type Diff struct {
	Path    string  `json:"path"`
	OldText *string `json:"oldText,omitempty" jsonschema:"description=The text before the change. Absent for a new file."`
	NewText string  `json:"newText"`
	Line    int     `json:"line,omitempty" jsonschema:"minimum=1,description=The line at which newText begins in the new file. Only if the texts are a part of it."`
}

// A View describes how to show a tool call. Every part is optional: missing
// parts are derived from the tool's name and arguments.
type View struct {
	Title     string     `json:"title,omitempty" jsonschema:"description=A one-line title for the user, such as Read main.go."`
	Kind      string     `json:"kind,omitempty" jsonschema:"enum=read,enum=edit,enum=delete,enum=move,enum=search,enum=execute,enum=think,enum=fetch,enum=switch_mode,enum=other,description=The icon to show."`
	Locations []Location `json:"locations,omitempty"`
	Diffs     []Diff     `json:"diffs,omitempty" jsonschema:"description=The file changes of the call."`
	// TerminalID names a terminal to show in the call, in addition to earlier
	// ones.
	TerminalID string `json:"terminalId,omitempty" jsonschema:"description=A terminal that the agent created with editor_request. The editor shows it in the tool call."`
}

// Content is one block of a user's or an agent's message, in the format that
// MCP and ACP share. Type is text, image, audio, resource_link or resource.
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

// Resource is an embedded resource: either text or base64-encoded bytes.
type Resource struct {
	URI      string  `json:"uri"`
	MIMEType string  `json:"mimeType,omitempty"`
	Text     *string `json:"text,omitempty"`
	Blob     *string `json:"blob,omitempty" jsonschema:"description=Base64."`
}

// A Variant is one type of the union.
type Variant struct {
	New func() Event // returns a new, empty event
	Doc string       // what the event means, in one sentence
}

// Raw is an unchanged JSON value. It preserves member order, large integers and
// unknown fields.
type Raw = json.RawMessage
