// Package toolargs reads the arguments of a tool call, which are any JSON: the
// members of an object are found by their names, and nothing else is known of
// them. It does not allocate memory where the caller gives it room.
package toolargs

import (
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// Args are the members of the arguments, still encoded.
type Args []Member

// A Member is one of them.
type Member struct{ key, value []byte }

// Parse appends the members of raw to a, whose memory it uses. It returns nil
// if raw is not an object.
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

// Value returns the encoded value of the first of the keys that is there, or
// nil. Of several members of one name the last one counts.
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

// String returns the value of the first of the keys that has a string.
func (a Args) String(keys ...string) (s string, ok bool) {
	for _, key := range keys {
		if key != "" && a.Is(key) {
			body, err := rawjson.Parse(a.Value(key))
			return body.String(), err == nil
		}
	}
	return "", false
}

// Text is String, with "" for a missing one.
func (a Args) Text(keys ...string) string {
	s, _ := a.String(keys...)
	return s
}

// First returns the first of the keys whose string is not empty.
func (a Args) First(keys ...string) string {
	for _, key := range keys {
		if a.Is(key) && len(a.Value(key)) > len(`""`) {
			return key
		}
	}
	return ""
}

// True reports whether the value of one of the keys is true.
func (a Args) True(keys ...string) bool { return string(a.Value(keys...)) == "true" }

// Int returns the value of the first of the keys that is there. ok is false
// unless that is a whole number of at most 31 bits.
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
