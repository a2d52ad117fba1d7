package wire

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/lazy"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Dialect is the native dialect.
var Dialect = dialect.Dialect{
	Name:       "native",
	Types:      func() []string { return nil }, // [agent.Variants] has them
	Recognise:  recognise,
	NewDecoder: func() dialect.Decoder { return newDecoder() },
}

// kind is what is known of a type name.
type kind struct {
	build  func() agent.Event
	fields map[string]bool // the members that the type defines
}

// kinds is made when it is first needed: editors wait for a program to start.
var kinds = lazy.Value[map[string]kind]{Make: func() map[string]kind {
	m := make(map[string]kind)
	for _, v := range agent.Variants() {
		e := v.New()
		fields := map[string]bool{"type": true}
		addFields(fields, reflect.TypeOf(e).Elem())
		m[e.Type()] = kind{v.New, fields}
	}
	return m
}}

func addFields(fields map[string]bool, t reflect.Type) {
	for f := range t.Fields() {
		if f.Anonymous {
			addFields(fields, f.Type)
			continue
		}
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			fields[name] = true
		}
	}
}

func recognise(line []byte) bool {
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			return false
		}
		if string(key) == "type" {
			name, err := rawjson.Parse(value)
			_, known := kinds.Get()[name.String()]
			return err == nil && known
		}
	}
}

// decoder decodes one stream. The events of the hot path live in it and are
// used again for each line.
type decoder struct {
	text     framed[agent.TextDelta]
	thinking framed[agent.ThinkingDelta]
	output   framed[agent.ToolOutput]
	from, to int // where the text stands in the line
	start    agent.ToolStart
	progress agent.ToolProgress
	percent  float64
	end      agent.ToolEnd
	names    names
}

func newDecoder() *decoder { return &decoder{names: make(names)} }

// Decode implements [dialect.Decoder].
func (d *decoder) Decode(line []byte, yield func(agent.Event) bool) error {
	if e := d.hot(line); e != nil {
		yield(e)
		return nil
	}
	e, err := cold(line)
	if err != nil {
		return err
	}
	yield(e)
	return nil
}

// cold decodes a line of any type.
func cold(line []byte) (agent.Event, error) {
	var head struct {
		Type   *string `json:"type"`
		TurnID any     `json:"turnId"`
	}
	if err := exactjson.Unmarshal(line, &head); err != nil {
		return nil, fmt.Errorf("%w: %w", dialect.ErrNotObject, err)
	}
	if head.Type == nil {
		return nil, dialect.ErrNotObject
	}
	clean := rawjson.CleanValue(line)
	k, known := kinds.Get()[*head.Type]
	if !known {
		u := &agent.Unknown{Name: *head.Type, Raw: bytes.TrimSpace(clean)}
		u.TurnID, _ = head.TurnID.(string)
		return u, nil
	}
	e, body := k.build(), clean
	switch e.(type) {
	case *agent.TextDelta, *agent.ThinkingDelta, *agent.ToolOutput, *agent.ToolArgsDelta:
		body = line // pieces of text: the tracker puts halves of a character together
	}
	if err := exactjson.Unmarshal(body, e); err != nil {
		return nil, &dialect.MalformedError{Type: *head.Type, Raw: line, Err: err}
	}
	e.Common().Extra = extra(clean, k.fields)
	return e, nil
}

// extra returns the members of line that are not among fields.
func extra(line []byte, fields map[string]bool) []byte {
	var out []byte
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			return out
		}
		if fields[rawjson.String(key).String()] {
			continue
		}
		if out != nil {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), key...), '"', ':')
		out = append(out, value...)
	}
}

// names gives strings for byte slices that come again and again (ids, names),
// so that only the first costs an allocation.
type names map[string]string

func (n names) get(b []byte) string {
	if len(b) > 128 {
		return string(b)
	}
	if s, ok := n[string(b)]; ok {
		return s
	}
	if len(n) >= 256 {
		clear(n)
	}
	s := string(b)
	n[s] = s
	return s
}
