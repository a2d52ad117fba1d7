package check

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/schema"
)

// A shape is a part of a JSON Schema. It supports only the keywords that our own schemas
// use.
type shape struct {
	Ref        string            `json:"$ref"`
	Type       string            `json:"type"`
	Const      any               `json:"const"`
	Enum       []any             `json:"enum"`
	Required   []string          `json:"required"`
	Properties map[string]*shape `json:"properties"`
	Items      *shape            `json:"items"`
	OneOf      []*shape          `json:"oneOf"`
	AnyOf      []*shape          `json:"anyOf"`
	AllOf      []*shape          `json:"allOf"`
	Defs       map[string]*shape `json:"$defs"`
}

// UnmarshalJSON implements [encoding/json.Unmarshaler]. true becomes a shape that accepts
// anything.
func (s *shape) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] != '{' {
		return nil
	}
	type plain shape
	return exactjson.Unmarshal(text, (*plain)(s))
}

// A grammar has the named shapes that others refer to.
type grammar struct{ Defs map[string]*shape }

// A problem is a value that doesn't match its shape.
type problem struct {
	path, message string
	unknown       bool // the value is not one of the known ones
}

// acpShapes returns our schema of ACP version 1.
var acpShapes = sync.OnceValues(func() (*grammar, error) {
	text, err := schema.Read("acp-v1")
	if err != nil {
		return nil, err
	}
	s := new(shape)
	if err := exactjson.Unmarshal(text, s); err != nil {
		return nil, err
	}
	for definition, name := range ours {
		if of := s.Defs[definition]; of != nil {
			of.Required = slices.DeleteFunc(of.Required, func(required string) bool { return required == name })
		}
	}
	return &grammar{s.Defs}, nil
})

// ours are members that Turnwire always writes but ACP doesn't require.
var ours = map[string]string{"InitializeResponse": "authMethods"}

// maxProblems limits how many problems are reported for one message.
const maxProblems = 4

// fits returns the problems of a value that should match the shape s.
func (g *grammar) fits(s *shape, path string, v any) []problem {
	if s.Ref != "" {
		of := g.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
		if of == nil {
			return nil
		}
		return g.fits(of, path, v)
	}
	if s.Type != "" && !isOf(s.Type, v) {
		return []problem{{path: path, message: fmt.Sprintf("%s must be %s, not %s", path, article(s.Type), article(typeOf(v)))}}
	}
	if s.Const != nil && s.Const != v {
		return []problem{{path: path, message: fmt.Sprintf("%s must be %q", path, s.Const), unknown: true}}
	}
	if s.Enum != nil && !slices.Contains(s.Enum, v) {
		return []problem{{path: path, message: fmt.Sprintf("%s must be one of %s, not %.80q", path, words(s.Enum), fmt.Sprint(v)), unknown: true}}
	}
	var all []problem
	for _, part := range s.AllOf {
		all = append(all, g.fits(part, path, v)...)
	}
	for _, choices := range [][]*shape{s.OneOf, s.AnyOf} {
		if len(choices) > 0 {
			all = append(all, g.best(choices, path, v)...)
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range s.Required {
			if _, has := v[name]; !has {
				all = append(all, problem{path: path, message: fmt.Sprintf("%s lacks the required member %q", path, name)})
			}
		}
		for name, of := range s.Properties {
			if value, has := v[name]; has && of != nil {
				all = append(all, g.fits(of, path+"."+name, value)...)
			}
		}
	case []any:
		for i, value := range v {
			if s.Items == nil || len(all) >= maxProblems {
				break
			}
			all = append(all, g.fits(s.Items, fmt.Sprintf("%s[%d]", path, i), value)...)
		}
	}
	return all[:min(len(all), maxProblems)]
}

// best returns the problems of a value for the best-matching choice, which is the one
// whose constants the value has.
func (g *grammar) best(choices []*shape, path string, v any) []problem {
	var best []problem
	least := -1
	for _, c := range choices {
		wrong := g.fits(c, path, v)
		if len(wrong) == 0 {
			return nil
		}
		weight := len(wrong)
		if g.differs(c, v) {
			weight += 100
		}
		if least < 0 || weight < least {
			best, least = wrong, weight
		}
	}
	if least > 100 { // no choice matches, so the value is of an unknown kind
		for _, c := range choices {
			for name, of := range c.Properties {
				m, ok := v.(map[string]any)
				if ok && of != nil && of.Const != nil && m[name] != nil {
					return []problem{{path: path + "." + name, message: fmt.Sprintf("%s.%s has the unknown value %.80q", path, name, fmt.Sprint(m[name])), unknown: true}}
				}
			}
		}
	}
	return best
}

// differs reports whether a value can't be meant to have the shape, because its type or
// one of its constants differs.
func (g *grammar) differs(s *shape, v any) bool {
	if s.Ref != "" {
		s = g.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
	}
	if s == nil {
		return true
	}
	if s.Type != "" && !isOf(s.Type, v) {
		return true
	}
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for name, of := range s.Properties {
		if of != nil && of.Const != nil && m[name] != of.Const {
			return true
		}
	}
	return false
}

func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		if v == float64(int64(v)) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

func isOf(name string, v any) bool {
	is := typeOf(v)
	return is == name || name == "number" && is == "integer"
}

func article(kind string) string {
	switch kind {
	case "null":
		return kind
	case "integer":
		return "a whole number"
	case "array", "object":
		return "an " + kind
	}
	return "a " + kind
}

func words(values []any) string {
	var all []string
	for _, v := range values {
		all = append(all, fmt.Sprint(v))
	}
	return strings.Join(all, ", ")
}
