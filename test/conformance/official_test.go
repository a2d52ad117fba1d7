//go:build external

package conformance

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// official loads the ACP v1 schema from the npm package, including its unstable
// parts. It uses plain values, because the reflection library can't read a
// "type" that is a list.
func official(t *testing.T) document { return load(t, "schema.unstable.json") }

func load(t *testing.T, name string) document {
	t.Helper()
	path := filepath.Join("node_modules", "@agentclientprotocol", "sdk", "schema", "v1", name)
	text, err := os.ReadFile(path)
	require.NoError(t, err, "the official schema is not installed: run make test-all, or npm ci in this folder")
	return parse(t, text)
}

// A document is a JSON Schema with its definitions.
type document struct {
	defs map[string]node
}

type node = map[string]any

func parse(t *testing.T, text []byte) document {
	t.Helper()
	var root struct {
		Defs map[string]node `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(text, &root))
	return document{root.Defs}
}

// A shape is the relevant part of an object: its members, and which of them are
// required.
type shape struct {
	members  map[string]value
	required map[string]bool
}

// A value is the relevant part of a member: its allowed JSON types, and its
// values if some are named. Types is nil if anything is allowed.
type value struct {
	types  map[string]bool
	values map[string]bool
}

// shape flattens an object: its own members, those from allOf, and all members
// of its branches. A branch's member is required only if all branches require
// it.
func (d document) shape(s node) shape {
	out := shape{map[string]value{}, map[string]bool{}}
	if target, ok := s["$ref"].(string); ok {
		return d.shape(d.resolve(target))
	}
	for name, member := range object(s["properties"]) {
		out.members[name] = d.value(asNode(member))
	}
	for _, name := range items(s["required"]) {
		out.required[name.(string)] = true
	}
	for _, part := range items(s["allOf"]) {
		out = out.with(d.shape(part.(node)), union)
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		branches := items(s[key])
		if len(branches) == 0 {
			continue
		}
		alternatives := d.shape(branches[0].(node))
		for _, branch := range branches[1:] {
			alternatives = alternatives.with(d.shape(branch.(node)), intersection)
		}
		out = out.with(alternatives, union)
	}
	return out
}

func (s shape) with(other shape, required func(a, b map[string]bool) map[string]bool) shape {
	members := maps.Clone(s.members)
	for name, v := range other.members {
		if old, ok := members[name]; ok {
			v = old.or(v)
		}
		members[name] = v
	}
	return shape{members, required(s.required, other.required)}
}

// value collects the types and the values that s allows.
func (d document) value(s node) value {
	if target, ok := s["$ref"].(string); ok {
		return d.value(d.resolve(target))
	}
	var out value
	for _, key := range []string{"oneOf", "anyOf", "allOf"} {
		for i, branch := range items(s[key]) {
			if v := d.value(branch.(node)); i == 0 {
				out = v
			} else {
				out = out.or(v)
			}
		}
	}
	switch t := s["type"].(type) {
	case string:
		out.types = map[string]bool{t: true}
	case []any:
		out.types = set(t)
	}
	if values, ok := s["enum"].([]any); ok {
		out.values = set(values)
	}
	if only, ok := s["const"].(string); ok {
		out.values = map[string]bool{only: true}
	}
	return out
}

// or returns what either of two values allows. The last branch of an open enum
// allows any string, but doesn't remove the named values.
func (v value) or(other value) value {
	return value{union(v.types, other.types), union(v.values, other.values)}
}

func (d document) resolve(target string) node {
	return d.defs[strings.TrimPrefix(target, "#/$defs/")]
}

// tags lists the values of key that distinguish the branches of a union.
func (d document) tags(name, key string) []string {
	var out []string
	for _, keyword := range []string{"oneOf", "anyOf"} {
		for _, branch := range items(d.defs[name][keyword]) {
			member := asNode(object(asNode(branch)["properties"])[key])
			if tag, ok := member["const"].(string); ok {
				out = append(out, tag)
			}
		}
	}
	slices.Sort(out)
	return out
}

func object(v any) map[string]any { m, _ := v.(map[string]any); return m }

func items(v any) []any { list, _ := v.([]any); return list }

// asNode converts the schema true to a schema without conditions.
func asNode(v any) node {
	if n, ok := v.(node); ok {
		return n
	}
	return node{}
}

func set(list []any) map[string]bool {
	out := map[string]bool{}
	for _, v := range list {
		out[v.(string)] = true
	}
	return out
}

func union(a, b map[string]bool) map[string]bool {
	if a == nil {
		return b
	}
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func intersection(a, b map[string]bool) map[string]bool {
	out := map[string]bool{}
	for name := range a {
		if b[name] {
			out[name] = true
		}
	}
	return out
}

func names(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }
