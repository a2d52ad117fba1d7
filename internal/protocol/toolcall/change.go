package toolcall

import (
	"bytes"
	"iter"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Name identifies a part of a call that is replaced as a whole: a member, or a key of
// its _meta.
type Name struct {
	Text string
	Meta bool
}

// Changes yields the parts of a call that one member of an update changes: nothing, the
// member, or keys of _meta. key is the body of a JSON string. Names and values are
// valid as long as key and value are.
func Changes(key, value []byte) iter.Seq2[Name, []byte] {
	return func(yield func(Name, []byte) bool) {
		name := nameOf(key)
		if name == "_meta" {
			o := rawjson.Walk(value)
			for key, value, ok := o.Next(); ok; key, value, ok = o.Next() {
				if !yield(Name{Text: rawjson.String(key).String(), Meta: true}, value) {
					return
				}
			}
			return
		}
		if replaces(name, value) {
			yield(Name{Text: name}, value)
		}
	}
}

// nameOf decodes the name of a member. It doesn't allocate for names that ACP defines.
func nameOf(key []byte) string {
	if bytes.IndexByte(key, '\\') < 0 {
		for _, name := range names {
			if string(key) == name {
				return name
			}
		}
	}
	return rawjson.String(key).String()
}

// names are the members that ACP defines.
var names = []string{
	"sessionUpdate", "toolCallId", "title", "name", "kind", "status", "content", "locations", "rawInput", "rawOutput", "_meta",
}

// replaces reports whether a member's value replaces an older one.
func replaces(name string, value []byte) bool {
	switch name {
	case "title", "name", "kind", "status":
		return len(value) > len(`""`) && value[0] == '"'
	case "content", "locations":
		return len(value) > 0 && value[0] == '['
	}
	return isGiven(value)
}

// isGiven reports whether a JSON value is neither absent nor null.
func isGiven(value []byte) bool { return len(value) > 0 && string(value) != "null" }

// StandsAlone reports whether a client must receive an update with this key in its _meta
// itself, because merging it into the call would lose information.
func StandsAlone(key string) bool {
	switch key {
	case "terminal_output", "terminal_output_delta", // the next piece of a stream
		"terminal_exit",         // Zed reads it only from updates
		v1.QuestionMeta,         // a call may ask several questions
		"turnwire.dev/decision": // a call starts when it is allowed
		return true
	}
	return false
}
