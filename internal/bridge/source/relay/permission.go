package relay

import (
	"cmp"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// callMembers are the tool call members that some agents put directly into the params
// of a permission request.
var callMembers = []string{"title", "name", "kind", "status", "content", "locations", "rawInput", "rawOutput"}

// withoutPartial returns the params of a permission request without the claim that the user
// may allow a part of the changes. Only Turnwire itself can offer that; see offerPart.
func withoutPartial(params []byte) []byte { return withoutMeta(params, v1.PartialMeta) }

// withoutMeta returns an object without a member of its _meta.
func withoutMeta(object []byte, name string) []byte {
	meta, _, _ := rawmsg.Member(object, "_meta")
	if len(meta) == 0 || meta[0] != '{' {
		return object
	}
	if value, _, _ := rawmsg.Member(meta, name); value == nil {
		return object
	}
	return rawmsg.Replace(object, "_meta", rawmsg.Without(meta, name))
}

// lawfulPermission returns the params of a permission request with members that strict
// editors require. It adds those that it can restore without guessing: the call and the
// options' names. It never adds the kind of an option, because the kind says what the
// option permits.
func (r *repairs) lawfulPermission(params []byte) []byte {
	params = r.withToolCall(params)
	options, _, _ := rawmsg.Member(params, "options")
	if named := namedOptions(options); named != nil {
		r.note(repairOptionName)
		params = rawmsg.Set(params, "options", named)
	}
	return params
}

// withToolCall moves the call's members into toolCall, if that is missing.
func (r *repairs) withToolCall(params []byte) []byte {
	call, _, _ := rawmsg.Member(params, "toolCall")
	id, _, _ := rawmsg.Member(params, "toolCallId")
	if len(call) > 0 && call[0] == '{' || len(id) == 0 || id[0] != '"' {
		return params
	}
	r.note(repairNoToolCall)
	call = rawmsg.Set([]byte("{}"), "toolCallId", id)
	params = rawmsg.Without(params, "toolCallId")
	for _, name := range callMembers {
		if value, _, _ := rawmsg.Member(params, name); value != nil {
			call = rawmsg.Set(call, name, value)
			params = rawmsg.Without(params, name)
		}
	}
	return rawmsg.Set(params, "toolCall", call)
}

// namedOptions returns options with a name for each: its label, or its id. It returns
// nil if no name is missing.
func namedOptions(options []byte) []byte {
	if len(options) == 0 || options[0] != '[' {
		return nil
	}
	changed := false
	out := []byte{'['}
	for option := range rawjson.Elements(options) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		if name := nameOf(option); name != "" {
			changed = true
			option = rawmsg.Set(option, "name", rawmsg.Quote(name))
		}
		out = append(out, option...)
	}
	if !changed {
		return nil
	}
	return append(out, ']')
}

// nameOf returns the name to give an option without one, or "".
func nameOf(option []byte) string {
	if option[0] != '{' {
		return ""
	}
	if name, _, _ := rawmsg.Member(option, "name"); len(name) > 0 && name[0] == '"' {
		return ""
	}
	return cmp.Or(rawmsg.MemberText(option, "label"), rawmsg.MemberText(option, "optionId"))
}
