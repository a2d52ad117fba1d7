package lint

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/internal/suggest"
)

// An object describes a struct's members, according to its tags.
type object struct {
	members []member
	names   []string
}

type member struct {
	name     string
	required bool
	text     bool     // its value is a string
	values   []string // allowed values; nil for any
	of       *object  // members of its value, or of the elements of a list
}

// find returns the member with this name, or nil.
func (o *object) find(name string) *member {
	for i := range o.members {
		if o.members[i].name == name {
			return &o.members[i]
		}
	}
	return nil
}

// native describes the events of the native dialect by type, based on the
// structs of package agent.
var native = sync.OnceValue(func() map[string]*object {
	events := make(map[string]*object)
	for _, v := range agent.Variants() {
		e := v.New()
		events[e.Type()] = objectOf(reflect.TypeOf(e).Elem(), map[reflect.Type]*object{})
	}
	return events
})

// Names lists the events of the native dialect.
func Names() []string {
	names := make([]string, 0, len(agent.Variants()))
	for _, v := range agent.Variants() {
		names = append(names, v.New().Type())
	}
	return names
}

func objectOf(t reflect.Type, known map[reflect.Type]*object) *object {
	if o := known[t]; o != nil {
		return o
	}
	o := &object{}
	known[t] = o
	o.add(t, known)
	for _, m := range o.members {
		o.names = append(o.names, m.name)
	}
	return o
}

func (o *object) add(t reflect.Type, known map[reflect.Type]*object) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			o.add(f.Type, known)
			continue
		}
		if name == "-" || name == "" || !f.IsExported() {
			continue
		}
		m := member{name: name, required: !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero")}
		of := f.Type
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice && of.Elem().Kind() != reflect.Uint8 {
			of = of.Elem()
		}
		m.text = f.Type.Kind() == reflect.String || f.Type == reflect.TypeFor[agent.Text]()
		if of.Kind() == reflect.Struct && !reflect.PointerTo(of).Implements(reflect.TypeFor[json.Unmarshaler]()) {
			m.of = objectOf(of, known)
		}
		for part := range strings.SplitSeq(f.Tag.Get("jsonschema"), ",") {
			if value, ok := strings.CutPrefix(part, "enum="); ok {
				m.values = append(m.values, value)
			}
		}
		o.members = append(o.members, m)
	}
}

// Members checks the members of an event in the native dialect. line must be a
// JSON object; if it is no native event, there are no findings.
func Members(line []byte) []Finding {
	from, to, ok := span(line, "type")
	if !ok || line[from] != '"' {
		return nil
	}
	event := rawjson.String(line[from+1 : to-1]).String()
	o := native()[event]
	if o == nil {
		return nil
	}
	c := memberCheck{line: line, event: event}
	c.object(o, "$", 0, line)
	return c.found
}

// maxOfLine limits the findings about one line.
const maxOfLine = 8

type memberCheck struct {
	line  []byte
	event string
	found []Finding
}

func (c *memberCheck) add(f Finding, from, to int) {
	if len(c.found) < maxOfLine {
		c.found = append(c.found, f.at(c.line, from, to))
	}
}

// unknown is a member that its object does not define.
type unknown struct {
	name     string
	from, to int // byte range of the key
	text     bool
}

// object checks the members of the object value, which starts at offset from in
// the line.
func (c *memberCheck) object(o *object, path string, from int, value []byte) {
	var others []unknown
	var has []string
	walk := rawjson.Walk(value)
	for {
		key, v, more := walk.Next()
		if !more {
			break
		}
		name := rawjson.String(key).String()
		at, _ := walk.Span()
		m := o.find(name)
		switch {
		case m == nil && path == "$" && name == "type":
			continue
		case m == nil:
			start := cap(value) - cap(key) - 1 // both are slices of one array
			others = append(others, unknown{name, from + start, from + start + len(key) + 2, v[0] == '"'})
			continue
		case v[0] != 'n':
			has = append(has, name)
		}
		c.value(m, path+"."+name, from+at, v)
	}
	for i := range o.members {
		m := &o.members[i]
		if m.required && !slices.Contains(has, m.name) {
			others = c.missing(m, path, from, value, others)
		}
	}
	for _, u := range others {
		if meant := meant(u.name, o.names); meant != "" && !slices.Contains(has, meant) {
			f := about("misspelt-member", c.event+" "+u.name, fmt.Sprintf("`%s` has no member %s; did you mean %q?", c.event, shown(u.name), meant),
				"Unknown members are ignored. Names are case-sensitive.")
			f.Path = path + "." + u.name
			c.add(f, u.from, u.to)
		}
	}
}

// leastName is the minimum length of a name to be considered mistyped. Shorter
// names resemble too many others.
const leastName = 5

// meant returns the member that a name was probably meant to be, or "".
func meant(name string, known []string) string {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	for _, k := range known {
		if plain(k) == plain(name) {
			return k
		}
	}
	if len(name) < leastName {
		return ""
	}
	return suggest.Of(name, known)
}

// value checks a member's value, or each element of a list.
func (c *memberCheck) value(m *member, path string, from int, v []byte) {
	switch {
	case v[0] == '[' && (m.of != nil || m.values != nil):
		i := 0
		for e := range rawjson.Elements(v) {
			c.value(m, path+"["+strconv.Itoa(i)+"]", from+cap(v)-cap(e), e)
			if i++; len(c.found) >= maxOfLine {
				return
			}
		}
	case v[0] == '{' && m.of != nil:
		c.object(m.of, path, from, v)
	case v[0] == '"' && m.values != nil:
		text := rawjson.String(v[1 : len(v)-1]).String()
		if slices.Contains(m.values, text) || text == "" {
			return
		}
		f := about("unknown-value", c.event+" "+m.name, fmt.Sprintf("unknown value %s for `%s`%s", shown(text), m.name, suggest.Hint(text, m.values)),
			"Use one of "+strings.Join(m.values, ", ")+".")
		f.Path = path
		c.add(f, from, from+len(v))
	}
}

// optional lists members that the schema requires, but whose absence loses
// nothing.
var optional = []string{"done.text", "tool_pending.toolName", "tool_ready.toolName", "tool_start.toolName"}

// missing reports a required member that is absent. If another member seems to
// hold its value, missing reports that member instead, and removes it from
// others.
func (c *memberCheck) missing(m *member, path string, from int, value []byte, others []unknown) []unknown {
	for i, u := range others {
		if !u.text || !m.text || strings.HasSuffix(m.name, "Id") != strings.HasSuffix(strings.ToLower(u.name), "id") {
			continue
		}
		if suggest.Of(u.name, []string{m.name}) == "" && !isText(u.name) {
			continue
		}
		f := about("wrong-member", c.event+" "+u.name, fmt.Sprintf("`%s` has no member %s; its %s belongs in `%s`", c.event, shown(u.name), noun(m.name), m.name),
			fmt.Sprintf("Rename %s to %q.", shown(u.name), m.name))
		f.Path = path + "." + u.name
		c.add(f, u.from, u.to)
		return slices.Delete(slices.Clone(others), i, i+1)
	}
	f := about("missing-member", c.event+" "+m.name, fmt.Sprintf("`%s` lacks the required member `%s`", c.event, m.name), "")
	f.Help = fmt.Sprintf("Add %q.", m.name)
	f.Path = path
	if slices.Contains(optional, c.event+"."+m.name) {
		f.Severity = Warning
	}
	if m.name == "ok" {
		f.Help = "Add \"ok\": true or false. Without it, the call counts as failed."
	}
	end := from + len(value)
	c.add(f, end-1, end)
	return others
}

// isText recognises the names that authors give to an event's content.
func isText(name string) bool {
	switch strings.ToLower(name) {
	case "file", "filename", "filepath", "file_path", "uri", "url",
		"text", "content", "delta", "message", "data", "value", "thinking", "thought", "reasoning", "output", "body", "token", "chunk",
		"prompt", "error", "reason", "title", "name", "id", "callid", "call_id", "tool_call_id", "toolid", "questionid", "question_id":
		return true
	}
	return false
}

// noun returns what a member holds, for use in a sentence.
func noun(member string) string {
	if strings.HasSuffix(member, "Id") {
		return "id"
	}
	return "text"
}
