package toolcall

import (
	"encoding/json"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// Merge applies an update to a call. An empty call becomes a copy of the update.
//
// The call shares lists and raw values with its updates, and never modifies them. It
// owns the map Meta.
func Merge(call, update *v1.ToolCallFields) {
	if call.ToolCallID == "" {
		call.ToolCallID = update.ToolCallID
	}
	replace(&call.Title, update.Title)
	replace(&call.Name, update.Name)
	replace(&call.Kind, update.Kind)
	replace(&call.Status, update.Status)
	if update.Content != nil {
		call.Content = update.Content
	}
	if update.Locations != nil {
		call.Locations = update.Locations
	}
	replaceRaw(&call.RawInput, update.RawInput)
	replaceRaw(&call.RawOutput, update.RawOutput)
	mergeMeta(call, update.Meta)
}

func replace[T ~string](old *T, value T) {
	if value != "" {
		*old = value
	}
}

func replaceRaw(old *json.RawMessage, value json.RawMessage) {
	if isGiven(value) {
		*old = value
	}
}

func mergeMeta(call *v1.ToolCallFields, update v1.Meta) {
	if call.Meta == nil && len(update) > 0 {
		call.Meta = make(v1.Meta, len(update))
	}
	for key, value := range update {
		if _, known := call.Meta[key]; known || len(call.Meta) < maxMembers {
			call.Meta[key] = value
		}
	}
}
