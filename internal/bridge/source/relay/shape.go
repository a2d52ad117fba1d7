package relay

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// A jsonKind is a kind of JSON value, determined by its first byte.
type jsonKind byte

const (
	aString  jsonKind = 's'
	aNumber  jsonKind = 'n'
	anArray  jsonKind = 'a'
	anObject jsonKind = 'o'
	aWord    jsonKind = 'w' // true, false or null
)

func kindOf(value []byte) jsonKind {
	switch value[0] {
	case '"':
		return aString
	case '[':
		return anArray
	case '{':
		return anObject
	case 't', 'f', 'n':
		return aWord
	}
	return aNumber
}

// A field is a member of an update that strict readers check.
type field struct {
	name     string
	kind     jsonKind
	required bool
}

// A shape is what strict readers require of one kind of update in version 1. They
// ignore other members.
type shape struct {
	kind   string
	fields []field
	// turn is set if updates of this kind belong to a turn and must not follow the
	// turn's response.
	turn bool
}

const (
	kindMessage    = "agent_message_chunk"
	kindThought    = "agent_thought_chunk"
	kindUser       = "user_message_chunk"
	kindCall       = "tool_call"
	kindCallUpdate = "tool_call_update"
	kindInfo       = "session_info_update"
)

var (
	chunkFields = []field{{"content", anObject, true}, {"messageId", aString, false}}
	callFields  = []field{
		{"toolCallId", aString, true}, {"title", aString, false}, {"kind", aString, false}, {"status", aString, false},
		{"content", anArray, false}, {"locations", anArray, false}, {"name", aString, false},
	}
)

// shapes are the kinds of `SessionUpdate` with required members. Updates of other kinds
// pass unchanged.
var shapes = byKind(
	shape{kindMessage, chunkFields, true},
	shape{kindThought, chunkFields, true},
	shape{kindUser, chunkFields, false},
	shape{kindCall, callFields, true},
	shape{kindCallUpdate, callFields, true},
	shape{"plan", []field{{"entries", anArray, true}}, false},
	shape{"available_commands_update", []field{{"availableCommands", anArray, true}}, false},
	shape{"current_mode_update", []field{{"currentModeId", aString, true}}, false},
	shape{"config_option_update", []field{{"configOptions", anArray, true}}, false},
	shape{"usage_update", []field{{"used", aNumber, true}, {"size", aNumber, true}}, false},
)

func byKind(list ...shape) map[string]*shape {
	out := make(map[string]*shape, len(list))
	for i := range list {
		out[list[i].kind] = &list[i]
	}
	return out
}

// A pair is a member of an update.
type pair struct{ key, value []byte }

// An update is a parsed update. Its fields are parts of its line.
type update struct {
	kind    []byte // the body of a JSON string, like the next three
	call    []byte
	status  []byte
	message []byte
	title   bool

	shape    *shape
	members  []pair
	wrong    uint64 // bit i is set if the value of members[i] has the wrong kind
	missing  string // the first missing required member
	lone     bool   // it contains half of a surrogate pair
	wellMade bool
}

// scan parses an update. members is space for its members.
func scan(body []byte, members []pair) (u update) {
	u.members = members[:0]
	o := rawjson.Walk(body)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		u.lone = u.lone || o.Lone()
		if bytes.IndexByte(key, '\\') >= 0 { // readers compare the unescaped name
			key = rawjson.Quote(rawjson.String(key).String())
		}
		u.members = append(u.members, pair{key, value})
		if kindOf(value) != aString {
			continue
		}
		body := value[1 : len(value)-1]
		switch string(key) {
		case "sessionUpdate":
			u.kind = body
		case "toolCallId":
			u.call = body
		case "status":
			u.status = body
		case "messageId":
			u.message = body
		case "title":
			u.title = true
		}
	}
	u.wellMade = o.Err() == nil
	if s, ok := shapes[string(u.kind)]; ok {
		u.shape = s
		u.check()
	}
	return u
}

// check finds missing members and members of the wrong kind. null counts as missing.
func (u *update) check() {
	var seen uint64
	for i, m := range u.members {
		for f := range u.shape.fields {
			want := &u.shape.fields[f]
			if string(m.key) != want.name {
				continue
			}
			switch {
			case kindOf(m.value) == want.kind:
				seen |= 1 << f
			case i < 64 && string(m.value) != "null":
				u.wrong |= 1 << i
			}
			break
		}
	}
	for f := range u.shape.fields {
		if u.shape.fields[f].required && seen&(1<<f) == 0 {
			u.missing = u.shape.fields[f].name
			return
		}
	}
}

// repaired returns the update as one of the given kind, without members of the wrong
// kind, and with a title if that kind needs one.
func (u *update) repaired(kind string) []byte {
	out := append([]byte(nil), `{"sessionUpdate":`...)
	out = rawjson.AppendString(out, kind)
	titled := false
	for i, m := range u.members {
		if string(m.key) == "sessionUpdate" || i < 64 && u.wrong&(1<<i) != 0 {
			continue
		}
		titled = titled || string(m.key) == "title" && m.value[0] == '"'
		if string(m.key) == "title" && m.value[0] != '"' {
			continue
		}
		out = append(append(append(out, `,"`...), m.key...), `":`...)
		out = append(out, m.value...)
	}
	if kind == kindCall && !titled {
		out = append(append(append(out, `,"title":"`...), u.defaultTitle()...), '"')
	}
	return append(out, '}')
}

// defaultTitle returns the title for a call without one: the name of the tool, or the
// call's id.
func (u *update) defaultTitle() []byte {
	for _, m := range u.members {
		if string(m.key) == "name" && m.value[0] == '"' {
			return m.value[1 : len(m.value)-1]
		}
	}
	return u.call
}

// isFinal reports whether the update ends its call.
func (u *update) isFinal() bool {
	return string(u.status) == "completed" || string(u.status) == "failed" || string(u.status) == "cancelled"
}
