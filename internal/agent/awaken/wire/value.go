package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A value is a JSON value of any kind. It has members where it is an object, and
// is nil where it is absent or null.
type value struct {
	raw agent.Raw
	*dialect.Fields
}

func valueOf(f *dialect.Fields, key string) value {
	v := value{raw: f.Raw(key)}
	v.Fields = object(f, key)
	return v
}

// object is the object that is a member, nil where it is something else.
func object(f *dialect.Fields, key string) *dialect.Fields {
	if !f.IsObject(key) {
		return nil
	}
	return f.Object(key)
}

func (v value) isString() bool { return len(v.raw) > 0 && v.raw[0] == '"' }

// body is the text of a string, still escaped. It is nil for any other value.
func (v value) body() rawjson.String {
	if !v.isString() {
		return nil
	}
	return rawjson.String(v.raw[1 : len(v.raw)-1])
}

// text is the text of a string, "" for any other value.
func (v value) text() string { return v.body().String() }

// is reports whether a member is the literal true or false that word names.
func is(f *dialect.Fields, key, word string) bool { return string(f.Raw(key)) == word }

// asWritten is the value of a member, also where that is null. It is nil where
// there is none.
func asWritten(f *dialect.Fields, name string) (last agent.Raw) {
	for key, v := range f.All() {
		if string(rawjson.Body(key)) == name {
			last = v
		}
	}
	return last
}

// named reports whether a member is a string with something in it.
func named(f *dialect.Fields, key string) bool { return len(valueOf(f, key).body()) > 0 }

// extra are the members of an event but for some, as Base.Extra has them.
func extra(f *dialect.Fields, but ...string) (out []byte) {
next:
	for key, v := range f.All() {
		for _, name := range but {
			if string(rawjson.Body(key)) == name {
				continue next
			}
		}
		out = appendMember(out, string(rawjson.Body(key)), v)
	}
	return out
}

// appendMember appends a member to others. The key is still escaped.
func appendMember(out []byte, key string, v []byte) []byte {
	if len(out) > 0 {
		out = append(out, ',')
	}
	out = append(append(append(out, '"'), key...), '"', ':')
	return append(out, v...)
}

// shown is the value as text: a string as it is, "" where it says nothing,
// anything else as its JSON.
func (v value) shown() string {
	if v.isString() {
		return v.text()
	}
	return string(v.raw)
}
