package main

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
)

// variant adds t to the union s, distinguished by the member "type".
func (ts *types) variant(s *jsonschema.Schema, t reflect.Type, tag, doc string) error {
	def, err := ts.add(t)
	if err != nil {
		return err
	}
	if def.Properties == nil {
		return fmt.Errorf("%v is no object", t)
	}
	tagged(def, "type", tag)
	def.Description = doc
	s.OneOf = append(s.OneOf, ref(ts.name(t)))
	return nil
}

// commandType reads the value of "type" from the field's tag, which must be an enum with
// a single value.
func commandType(t reflect.Type) (string, error) {
	field, ok := t.FieldByName("Type")
	if !ok {
		return "", fmt.Errorf("%v has no Type", t)
	}
	tag, ok := strings.CutPrefix(field.Tag.Get("jsonschema"), "enum=")
	if !ok {
		return "", fmt.Errorf("%v does not say which type it is", t)
	}
	return tag, nil
}
