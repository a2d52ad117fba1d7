package v1

// RequestPermissionRequest is `RequestPermissionRequest`.
type RequestPermissionRequest struct {
	SessionID string             `json:"sessionId"`
	ToolCall  ToolCallUpdate     `json:"toolCall"`
	Options   []PermissionOption `json:"options"`
	Meta      Meta               `json:"_meta,omitempty" jsonschema:"nullable"`
}

// PartialMeta is the `_meta` member of a request whose answer may accept a part of the
// changes that it shows. The same member of an update says that an answer did.
const PartialMeta = "turnwire.dev/partial"

// AcceptedMeta is the `_meta` member of the answer to such a request. Its value is a list
// of [AcceptedText] with each file of the request once.
const AcceptedMeta = "turnwire.dev/accepted"

// AcceptedText is the text that the user accepts for a file instead of the shown one.
type AcceptedText struct {
	Path    string  `json:"path"`
	NewText *string `json:"newText"`
}

// PermissionOption is `PermissionOption`.
type PermissionOption struct {
	OptionID string               `json:"optionId"`
	Name     string               `json:"name"`
	Kind     PermissionOptionKind `json:"kind"`
	Meta     Meta                 `json:"_meta,omitempty" jsonschema:"nullable"`
}

// PermissionOptionKind is `PermissionOptionKind`.
type PermissionOptionKind string

// The values of `PermissionOptionKind`.
const (
	AllowOnce    PermissionOptionKind = "allow_once"
	AllowAlways  PermissionOptionKind = "allow_always"
	RejectOnce   PermissionOptionKind = "reject_once"
	RejectAlways PermissionOptionKind = "reject_always"
)

// RequestPermissionResponse is `RequestPermissionResponse`.
type RequestPermissionResponse struct {
	Outcome PermissionOutcome `json:"outcome"`
	Meta    Meta              `json:"_meta,omitempty" jsonschema:"nullable"`
}

// PermissionOutcome is `RequestPermissionOutcome`. Outcome is either "selected", with
// an OptionID, or "cancelled".
type PermissionOutcome struct {
	Outcome  string `json:"outcome"`
	OptionID string `json:"optionId,omitempty"`
	Meta     Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// The values of `outcome`.
const (
	OutcomeSelected  = "selected"
	OutcomeCancelled = "cancelled"
)

// Selected returns the id of the chosen option, or "" if none was chosen.
func (o PermissionOutcome) Selected() string {
	if o.Outcome != OutcomeSelected {
		return ""
	}
	return o.OptionID
}
