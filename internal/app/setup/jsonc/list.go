package jsonc

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// Append appends an object to the list at a path. It creates the list if it doesn't
// exist.
func (d *Document) Append(o Object, path ...string) error {
	v, list, way, err := d.list(path)
	if err != nil {
		return err
	}
	if v == nil {
		return d.Set(List{o}, path...)
	}
	l := d.layoutOf(v, list, way)
	tail := v.EndOffset - 1 - len(list.AfterExtra)
	// Comments after the last element belong to it and stay with it.
	comments, _ := commentsEnd(list.AfterExtra)
	at := edit{from: tail + comments, to: tail + comments}
	separator := l.newline + l.indent
	if l.inline {
		separator = " "
	}
	item := l.render(o)
	if len(list.Elements) == 0 {
		if l.inline {
			separator = ""
		} else if len(list.AfterExtra) == comments {
			item += l.newline + d.indentAt(v.StartOffset)
		}
		at.text = separator + item
		return d.apply(at)
	}
	last := list.Elements[len(list.Elements)-1]
	if last.AfterExtra != nil { // with a trailing comma, the new element gets one too
		at.text = separator + item + ","
		return d.apply(at)
	}
	at.text = separator + item
	return d.apply(edit{last.EndOffset, last.EndOffset, ","}, at)
}

// RemoveAt removes an element of the list at a path. Comments around it are kept.
func (d *Document) RemoveAt(index int, path ...string) error {
	v, list, _, err := d.list(path)
	if err != nil || v == nil || index < 0 || index >= len(list.Elements) {
		return err
	}
	var before *hujson.Value
	if index > 0 {
		before = &list.Elements[index-1]
	}
	e := list.Elements[index]
	return d.apply(d.cut(e, e, before, index == len(list.Elements)-1)...)
}

// list finds the list at a path, and the objects on the way to it. v is nil if the list
// doesn't exist.
func (d *Document) list(path []string) (v *hujson.Value, list *hujson.Array, way []*hujson.Value, err error) {
	v, way, err = d.find(path)
	if v == nil || err != nil {
		return nil, nil, way, err
	}
	list, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, nil, way, d.fail(v.StartOffset, "%s must be a list", describePath(path))
	}
	return v, list, way, nil
}

// layoutOf returns the layout for elements of a list.
func (d *Document) layoutOf(v *hujson.Value, list *hujson.Array, way []*hujson.Value) layout {
	l := layout{newline: d.newline(), unit: d.unit(), inline: true}
	l.indent = d.indentAt(v.StartOffset) + l.unit
	for _, e := range list.Elements {
		if bytes.IndexByte(e.BeforeExtra, '\n') >= 0 {
			l.inline = false
		}
		if d.beginsLine(e.StartOffset) {
			l.indent = d.indentAt(e.StartOffset)
		}
	}
	if len(list.Elements) == 0 && bytes.IndexByte(list.AfterExtra, '\n') < 0 {
		l.inline = d.isInline(way)
	} else if bytes.IndexByte(list.AfterExtra, '\n') >= 0 {
		l.inline = false
	}
	return l
}
