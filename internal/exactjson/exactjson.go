// Package exactjson decodes JSON whose members are known by their exact names.
//
// encoding/json takes a member for a field also where the cases of their letters
// differ, and the last one wins: a line that says "decision" to whoever looks at
// it before, and "Decision" behind that, would mean to us what nobody else reads
// in it. Here such a member is one of the unknown ones.
//
// Contract: [Unmarshal] does what encoding/json does with the same JSON without
// those members, at every depth that it decodes itself. A type that decodes
// itself, by UnmarshalJSON or UnmarshalText, is given its value as it stands; one
// of ours uses this package for it. Of several members of one name the last wins.
package exactjson

import (
	"encoding/json"
	"reflect"
)

// Unmarshal is [json.Unmarshal] for exact names.
func Unmarshal(data []byte, v any) error {
	return json.Unmarshal(Clean(data, v), v)
}

// Clean returns data without the members that [json.Unmarshal] would take for a
// field of v though they have another name: data itself where there are none, as
// in what is no JSON. It is for what a library decodes.
func Clean(data []byte, v any) []byte {
	p := planOf(reflect.TypeOf(v))
	if p == nil {
		return data
	}
	s := scanner{data: data}
	s.value(0, p, maxDepth)
	// What is cut out of invalid JSON might leave valid JSON behind.
	if s.cuts == nil || !json.Valid(data) {
		return data
	}
	return s.kept()
}
