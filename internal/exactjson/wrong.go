package exactjson

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
)

// A TypeError reports a value of the wrong type. Its text is written for people who write
// JSON and don't know Go.
type TypeError struct {
	path string
	text string
	err  error
}

// Error implements error.
func (e *TypeError) Error() string { return e.text }

// Member returns the path of the member, with dots between the names, or "" for the whole
// value. Lists appear without an index.
func (e *TypeError) Member() string { return e.path }

// Unwrap returns the *json.UnmarshalTypeError.
func (e *TypeError) Unwrap() error { return e.err }

// readable converts an error of encoding/json about a value for the type t into JSON
// terms.
func readable(err error, t reflect.Type) error {
	if _, done := errors.AsType[*TypeError](err); done {
		return err // from a type that decodes itself
	}
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err
	}
	path := members(wrong.Field, t)
	subject := path
	if subject == "" {
		subject = "it"
	}
	return &TypeError{path: path, text: subject + " must be " + wanted(wrong.Type) + ", not " + given(wrong.Value), err: err}
}

// members removes embedded structs, which are not members, from a path of fields.
func members(path string, t reflect.Type) string {
	var names []string
	for name := range strings.SplitSeq(path, ".") {
		for t != nil && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map) {
			t = t.Elem()
		}
		if t == nil || t.Kind() != reflect.Struct {
			names, t = append(names, name), nil
			continue
		}
		if f, ok := t.FieldByName(name); ok && flattened(f) != nil {
			t = f.Type
			continue
		}
		names, t = append(names, name), fieldsOf(t)[name]
	}
	return strings.Join(names, ".")
}

// wanted names the JSON type that a Go type is decoded from.
func wanted(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Uint16:
		return "a whole number from 0 to 65535"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint8, reflect.Uint32, reflect.Uint64:
		return "a whole number that is not negative"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return "a string"
		}
		return "an array"
	}
	return "an object"
}

// given names the JSON type of the actual value, from encoding/json's description.
func given(value string) string {
	if number, ok := strings.CutPrefix(value, "number "); ok {
		return number
	}
	switch value {
	case "bool":
		return "a boolean"
	case "object", "array":
		return "an " + value
	}
	return "a " + value
}
