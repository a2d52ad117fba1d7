package hub

import (
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A choice is a form with one field of a few values, converted to a permission request
// that every client can show.
type choice struct {
	params  []byte // of the permission request
	offered []consent.Option
	field   string
	values  []any // the value of each option
}

// choiceKinds are the kinds of the options. Clients distinguish options by kind, and
// only these three have distinct meanings to them.
var choiceKinds = []v1.PermissionOptionKind{v1.AllowOnce, v1.RejectOnce, v1.AllowAlways}

// choiceOf converts a form to a choice. It returns nil if that is not possible.
func choiceOf(params []byte, id string) *choice {
	var form v1.ElicitationRequest
	if exactjson.Unmarshal(params, &form) != nil || form.Mode != v1.ElicitForm || form.RequestedSchema == nil || len(form.RequestedSchema.Properties) != 1 {
		return nil
	}
	field := form.RequestedSchema.Properties[0]
	c := &choice{field: field.Name}
	var names []string
	switch p := field.Property; {
	case p.Type == "boolean":
		c.values, names = []any{true, false}, []string{"Yes", "No"}
	case len(p.OneOf) > 0:
		for _, o := range p.OneOf {
			c.values, names = append(c.values, o.Const), append(names, o.Title)
		}
	default:
		for _, value := range p.Enum {
			c.values, names = append(c.values, value), append(names, value)
		}
	}
	if len(names) == 0 || len(names) > len(choiceKinds) {
		return nil
	}
	call := form.ToolCallID
	if call == "" {
		call = "question-" + id
	}
	req := v1.RequestPermissionRequest{SessionID: form.SessionID}
	req.ToolCall.ToolCallID, req.ToolCall.Title = call, form.Message
	for i, name := range names {
		req.Options = append(req.Options, v1.PermissionOption{OptionID: name, Name: name, Kind: choiceKinds[i]})
		c.offered = append(c.offered, consent.Option{ID: name, Kind: string(choiceKinds[i]), Name: name})
	}
	c.params = rawmsg.Encode(req)
	return c
}

// answer returns the answer to the form for a chosen option. "" means none was chosen.
func (c *choice) answer(option string) []byte {
	i := slices.IndexFunc(c.offered, func(o consent.Option) bool { return o.ID == option })
	if i < 0 {
		return []byte(notFilledIn)
	}
	return rawmsg.Encode(map[string]any{"action": "accept", "content": map[string]any{c.field: c.values[i]}})
}
