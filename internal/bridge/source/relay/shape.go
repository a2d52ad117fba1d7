package relay

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// A kind of JSON value, by how it begins.
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

// A field is a member of an update that a strict reader looks at.
type field struct {
	name     string
	kind     jsonKind
	required bool
}

// A shape is what strict readers want of one kind of update of version 1; other
// members are not looked at.
type shape struct {
	kind   string
	fields []field
	// turn says that such an update belongs to a turn, and none may come after
	// the turn's answer.
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

// shapes are the kinds of `SessionUpdate` that have required members. A kind
// that is not here passes as it is.
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

// An update is what one says, as parts of its line.
type update struct {
	kind    []byte // the body of a string, as all of these
	call    []byte
	status  []byte
	message []byte
	title   bool

	shape    *shape
	members  []pair
	wrong    uint64 // a bit for each of members whose value is of the wrong kind
	missing  string // the first required member that is not there
	lone     bool   // half of a surrogate pair is in it
	wellMade bool
}

// scan takes an update apart. members is room for its members.
func scan(body []byte, members []pair) (u update) {
	u.members = members[:0]
	o := rawjson.Walk(body)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		u.lone = u.lone || o.Lone()
		if bytes.IndexByte(key, '\\') >= 0 { // it is what it stands for to those who read it
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

// check looks for members that are missing, or of the wrong kind. null stands
// for a member that is not there.
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

// repaired is the update as kind, without the members of the wrong kind, and
// with a title where that kind needs one.
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

// defaultTitle is what a call is called that has no title: the name of the tool,
// or the call's own id.
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
