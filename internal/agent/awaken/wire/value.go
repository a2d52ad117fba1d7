package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A value is a JSON value of any kind. If it is an object, it has members. If it
// is absent or null, raw is nil.
type value struct {
	raw agent.Raw
	*dialect.Fields
}

func valueOf(f *dialect.Fields, key string) value {
	v := value{raw: f.Raw(key)}
	v.Fields = object(f, key)
	return v
}

// object returns the object in a member, or nil if the member is not an object.
func object(f *dialect.Fields, key string) *dialect.Fields {
	if !f.IsObject(key) {
		return nil
	}
	return f.Object(key)
}

func (v value) isString() bool { return len(v.raw) > 0 && v.raw[0] == '"' }

// body returns a string's text, still escaped, or nil for any other value.
func (v value) body() rawjson.String {
	if !v.isString() {
		return nil
	}
	return rawjson.String(v.raw[1 : len(v.raw)-1])
}

// text returns a string's text, or "" for any other value.
func (v value) text() string { return v.body().String() }

// is reports whether a member is the literal word, which is true or false.
func is(f *dialect.Fields, key, word string) bool { return string(f.Raw(key)) == word }

// asWritten returns a member's value, even if it is null, or nil if it is
// absent.
func asWritten(f *dialect.Fields, name string) (last agent.Raw) {
	for key, v := range f.All() {
		if string(rawjson.Body(key)) == name {
			last = v
		}
	}
	return last
}

// named reports whether a member is a non-empty string.
func named(f *dialect.Fields, key string) bool { return len(valueOf(f, key).body()) > 0 }

// extra returns an event's members except those named in but, in the format of
// Base.Extra.
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

// shown returns the value as text: a string as it is, anything else as JSON, ""
// if absent.
func (v value) shown() string {
	if v.isString() {
		return v.text()
	}
	return string(v.raw)
}
