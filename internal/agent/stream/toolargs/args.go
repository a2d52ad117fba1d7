// Package toolargs reads the arguments of a tool call, which may be any JSON.
// It looks up an object's members by name, and knows nothing else about them.
// It does not allocate if the caller provides the memory.
package toolargs

import (
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// Args are the members of the arguments, still encoded.
type Args []Member

// A Member is one member of the arguments.
type Member struct{ key, value []byte }

// Parse appends the members of raw to a, reusing its memory. It returns nil if
// raw is not an object.
func Parse(a Args, raw []byte) Args {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	o := rawjson.Walk(raw)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		a = append(a, Member{key, value})
	}
	if o.Err() != nil {
		return nil
	}
	return a
}

// Value returns the encoded value of the first key that is present, or nil. If
// a name is repeated, the last member counts.
func (a Args) Value(keys ...string) []byte {
	for _, key := range keys {
		for _, m := range slices.Backward(a) {
			if string(m.key) == key {
				return m.value
			}
		}
	}
	return nil
}

// Is reports whether the value of key is a string.
func (a Args) Is(key string) bool {
	v := a.Value(key)
	return len(v) > 0 && v[0] == '"'
}

// String returns the value of the first key whose value is a string.
func (a Args) String(keys ...string) (s string, ok bool) {
	for _, key := range keys {
		if key != "" && a.Is(key) {
			body, err := rawjson.Parse(a.Value(key))
			return body.String(), err == nil
		}
	}
	return "", false
}

// Text is like String, but returns "" if no key has a string.
func (a Args) Text(keys ...string) string {
	s, _ := a.String(keys...)
	return s
}

// First returns the first key whose value is a non-empty string, or "".
func (a Args) First(keys ...string) string {
	for _, key := range keys {
		if a.Is(key) && len(a.Value(key)) > len(`""`) {
			return key
		}
	}
	return ""
}

// True reports whether the value of the first key that is present is true.
func (a Args) True(keys ...string) bool { return string(a.Value(keys...)) == "true" }

// Int returns the value of the first key that is present. ok is false unless
// it is an integer that fits into 32 bits.
func (a Args) Int(keys ...string) (n int, ok bool) {
	v := a.Value(keys...)
	if v == nil {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || f < -1<<31 || f >= 1<<31 || f != float64(int(f)) {
		return 0, false
	}
	return int(f), true
}
