package jsonc

import (
	"bytes"
	"errors"
	"reflect"
	"slices"

	"github.com/tailscale/hujson"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// Set sets the value at a path, and creates missing objects on the way. An [Object] is
// merged with an existing object: members that it doesn't name are kept. A value that
// already has the same meaning keeps its formatting.
func (d *Document) Set(value any, path ...string) error {
	if d.blank {
		if err := d.begin(); err != nil {
			return err
		}
	}
	old, way, err := d.find(path)
	switch {
	case err != nil:
		return err
	case old == nil:
		for i := len(path) - 1; i >= len(way); i-- {
			value = Object{{path[i], value}}
		}
		return d.insert(way, path[len(way)-1], value)
	}
	object, ok := value.(Object)
	if !ok {
		return d.replace(old, value)
	}
	if old.Value.Kind() != '{' {
		return d.fail(old.StartOffset, "%s must be an object", describePath(path))
	}
	for _, m := range object {
		if err := d.Set(m.Value, append(slices.Clone(path), m.Name)...); err != nil {
			return err
		}
	}
	return nil
}

// begin adds an empty object to a blank document.
func (d *Document) begin() error {
	newline := d.newline()
	if text := d.text; len(text) > 0 && text[len(text)-1] != '\n' {
		d.text = append(d.text, newline...)
	}
	d.text = append(d.text, "{}"+newline...)
	return d.parse()
}

// insert adds a member after the other members of the last object in way.
func (d *Document) insert(way []*hujson.Value, name string, value any) error {
	v := way[len(way)-1]
	object, _ := v.Value.(*hujson.Object)
	l := d.layoutIn(way)
	member := scalar(name) + ": " + l.render(value)
	// Comments after the last member belong to it and stay with it.
	tail := v.EndOffset - 1 - len(object.AfterExtra)
	comments, _ := commentsEnd(object.AfterExtra)
	at := edit{from: tail + comments}
	at.to = at.from
	separator := l.newline + l.indent
	if l.inline {
		separator = " "
	}
	if len(object.Members) == 0 {
		if len(object.AfterExtra) == comments && !l.inline {
			member += l.newline + d.indentAt(v.StartOffset)
		}
		if l.inline {
			separator = ""
		}
		at.text = separator + member
		return d.apply(at)
	}
	last := object.Members[len(object.Members)-1].Value
	if last.AfterExtra != nil { // with a trailing comma, the new member gets one too
		at.text = separator + member + ","
		return d.apply(at)
	}
	at.text = separator + member
	return d.apply(edit{last.EndOffset, last.EndOffset, ","}, at)
}

// replace replaces a value, unless it already has the same meaning.
func (d *Document) replace(old *hujson.Value, value any) error {
	plain := old.Clone()
	plain.Standardize()
	var means, wanted any
	text := scalar(value)
	if err := errors.Join(exactjson.Unmarshal(bytes.TrimSpace(plain.Pack()), &means), exactjson.Unmarshal([]byte(text), &wanted)); err != nil {
		return d.fail(old.StartOffset, "invalid JSON")
	}
	if reflect.DeepEqual(means, wanted) {
		return nil
	}
	return d.apply(edit{old.StartOffset, old.EndOffset, text})
}

// Remove removes the member at a path, if it exists. Comments around it are kept.
func (d *Document) Remove(path ...string) error {
	old, way, err := d.find(path)
	if old == nil || err != nil {
		return err
	}
	object, _ := way[len(way)-1].Value.(*hujson.Object)
	at, err := d.index(object, path[len(path)-1])
	if err != nil {
		return err
	}
	return d.apply(d.cuts(object, at)...)
}

// cuts returns the edits that remove a member, its comma, and the space before it.
func (d *Document) cuts(o *hujson.Object, at int) []edit {
	m := o.Members[at]
	var before *hujson.Value
	if at > 0 {
		before = &o.Members[at-1].Value
	}
	return d.cut(m.Name, m.Value, before, at == len(o.Members)-1)
}

// cut returns the edits that remove the text from first to last. before is the preceding
// value, or nil.
func (d *Document) cut(first, last hujson.Value, before *hujson.Value, isLast bool) []edit {
	comments, toEndOfLine := commentsEnd(first.BeforeExtra)
	body := edit{from: first.StartOffset - len(first.BeforeExtra) + comments, to: last.EndOffset}
	var comma []edit
	switch extra := last.AfterExtra; {
	case isLast && extra == nil:
		// It has no comma, so remove the one before it.
		if before != nil {
			end := before.EndOffset + len(before.AfterExtra)
			comma = []edit{{end, end + 1, ""}}
		}
	case len(bytes.TrimSpace(extra)) == 0:
		body.to += len(extra) + 1
	default:
		end := body.to + len(extra)
		comma = []edit{{end, end + 1, ""}}
	}
	if toEndOfLine {
		// The rest of the line must not become part of the comment.
		rest := d.text[body.to:]
		line, _, _ := bytes.Cut(rest, []byte{'\n'})
		if text := bytes.TrimLeft(line, " \t"); len(bytes.TrimRight(text, "\r")) > 0 {
			body.from = first.StartOffset
			body.to += len(line) - len(text)
		}
	}
	return append(comma, body)
}

// An edit replaces the text between two offsets.
type edit struct {
	from, to int
	text     string
}

// apply makes edits that don't overlap. If the result is not a valid document, nothing
// changes.
func (d *Document) apply(edits ...edit) error {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var text []byte
	done := 0
	for _, e := range edits {
		text = append(append(text, d.text[done:e.from]...), e.text...)
		done = e.to
	}
	text = append(text, d.text[done:]...)
	changed := &Document{Unit: d.Unit, mark: d.mark, text: text}
	if err := changed.parse(); err != nil {
		return err
	}
	*d = *changed
	return nil
}
