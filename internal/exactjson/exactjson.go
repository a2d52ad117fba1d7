// Package exactjson decodes JSON whose members are known by their exact names.
//
// encoding/json accepts a member for a field even if the letter cases of their
// names differ, and the last such member wins. A line with "decision" and,
// after it, "Decision" would mean something to us that no other reader of the
// line sees. Here a member with another case is an unknown member.
//
// Contract: [Unmarshal] does what encoding/json would do with the same JSON
// without such members, at every depth that it decodes itself. A type with its
// own UnmarshalJSON or UnmarshalText is given its value unchanged; our own
// types of that kind use this package. Of several members with one name the
// last one wins.
package exactjson

import (
	"encoding/json"
	"reflect"
)

// Unmarshal is [json.Unmarshal] for exact names. Of a value of the wrong kind it
// returns a [TypeError].
func Unmarshal(data []byte, v any) error {
	err := json.Unmarshal(Clean(data, v), v)
	if err == nil {
		return nil
	}
	return readable(err, reflect.TypeOf(v))
}

// Clean returns data without the members that [json.Unmarshal] would accept for
// a field of v although they have another name. It returns data itself if there
// are none, or if data is not valid JSON. It is for data that a library
// decodes.
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
