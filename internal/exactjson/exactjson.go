// Package exactjson decodes JSON with exact, case-sensitive member names.
//
// encoding/json matches member names to fields regardless of case, and the last matching
// member wins. A line with "decision" followed by "Decision" would therefore mean
// something to us that no other reader of the line sees. Here, a member with a different
// case is an unknown member.
//
// Contract: [Unmarshal] does what encoding/json does with the same JSON without such
// members, at every depth that it decodes itself. A type with its own UnmarshalJSON or
// UnmarshalText gets its value unchanged; our own types of that kind use this package. If
// several members have the same name, the last one wins.
package exactjson

import (
	"encoding/json"
	"reflect"
)

// Unmarshal is like [json.Unmarshal] with exact names. If a value has the wrong type, it
// returns a [TypeError].
func Unmarshal(data []byte, v any) error {
	err := json.Unmarshal(Clean(data, v), v)
	if err == nil {
		return nil
	}
	return readable(err, reflect.TypeOf(v))
}

// Clean returns data without the members that [json.Unmarshal] would store in a field of
// v although they have a different name. It returns data itself if it has no such
// members, or is not valid JSON. Use it for data that a library decodes.
func Clean(data []byte, v any) []byte {
	p := planOf(reflect.TypeOf(v))
	if p == nil {
		return data
	}
	s := scanner{data: data}
	s.value(0, p, maxDepth)
	// Cutting a part out of invalid JSON could make it valid.
	if s.cuts == nil || !json.Valid(data) {
		return data
	}
	return s.remaining()
}
