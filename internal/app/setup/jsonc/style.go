package jsonc

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tailscale/hujson"
)

// An Object is a value to write, with ordered members. The other values are strings,
// lists of strings, booleans and Lists.
type Object []Member

// A List is a list of Objects.
type List []Object

// A Member is a member of an Object.
type Member struct {
	Name  string
	Value any
}

// A layout says how to format added text.
type layout struct {
	inline  bool
	newline string
	indent  string // of the lines with members
	unit    string
}

// render formats a value whose first line is indented by l.indent.
func (l layout) render(v any) string {
	inner := l
	inner.indent += l.unit
	var items []string
	switch v := v.(type) {
	case Object:
		for _, m := range v {
			items = append(items, scalar(m.Name)+": "+inner.render(m.Value))
		}
		return l.between("{", items, "}")
	case List:
		for _, o := range v {
			items = append(items, inner.render(o))
		}
		return l.between("[", items, "]")
	}
	return scalar(v)
}

// between formats items between brackets.
func (l layout) between(begin string, items []string, end string) string {
	switch {
	case len(items) == 0:
		return begin + end
	case l.inline:
		return begin + strings.Join(items, ", ") + end
	}
	open := l.newline + l.indent + l.unit
	return begin + open + strings.Join(items, ","+open) + l.newline + l.indent + end
}

// scalar formats a value on one line.
func scalar(v any) string {
	if list, ok := v.([]string); ok {
		var items []string
		for _, item := range list {
			items = append(items, scalar(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // a string can always be encoded
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// layoutIn returns the layout for members of the last object in way.
func (d *Document) layoutIn(way []*hujson.Value) layout {
	v := way[len(way)-1]
	object, _ := v.Value.(*hujson.Object)
	l := layout{newline: d.newline(), unit: d.unit(), inline: d.isInline(way)}
	l.indent = d.indentAt(v.StartOffset) + l.unit
	for _, m := range object.Members {
		if d.beginsLine(m.Name.StartOffset) {
			l.indent = d.indentAt(m.Name.StartOffset)
		}
	}
	return l
}

// isInline reports whether the members of the last object in way belong on one line.
func (d *Document) isInline(way []*hujson.Value) bool {
	object, _ := way[len(way)-1].Value.(*hujson.Object)
	for _, m := range object.Members {
		if bytes.IndexByte(m.Name.BeforeExtra, '\n') >= 0 {
			return false
		}
	}
	switch {
	case bytes.IndexByte(object.AfterExtra, '\n') >= 0:
		return false
	case len(object.Members) > 0:
		return true
	}
	return len(way) > 1 && d.isInline(way[:len(way)-1])
}

// newline returns the document's line ending.
func (d *Document) newline() string {
	if at := bytes.IndexByte(d.text, '\n'); at > 0 && d.text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// unit returns one step of indentation, taken from the first member that begins a line.
func (d *Document) unit() string {
	if object, ok := d.root.Value.(*hujson.Object); ok {
		base := d.indentAt(d.root.StartOffset)
		for _, m := range object.Members {
			if !d.beginsLine(m.Name.StartOffset) {
				continue
			}
			if unit, deeper := strings.CutPrefix(d.indentAt(m.Name.StartOffset), base); deeper && unit != "" {
				return unit
			}
		}
	}
	return d.Unit
}

// indentAt returns the white space at the beginning of the line that contains offset at.
func (d *Document) indentAt(at int) string {
	line := d.text[bytes.LastIndexByte(d.text[:at], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// beginsLine reports whether only white space precedes offset at in its line.
func (d *Document) beginsLine(at int) bool {
	from := bytes.LastIndexByte(d.text[:at], '\n') + 1
	return from > 0 && len(bytes.TrimLeft(d.text[from:at], " \t")) == 0
}

// commentsEnd returns the end of the last comment in extra, without its newline, or 0 if
// extra contains no comment. toEndOfLine reports whether it is a line comment.
func commentsEnd(extra []byte) (end int, toEndOfLine bool) {
	for at := 0; at < len(extra); {
		rest := extra[at:]
		switch {
		case bytes.HasPrefix(rest, []byte("//")):
			length := bytes.IndexByte(rest, '\n')
			if length < 0 {
				length = len(rest)
			}
			// Only the last of several carriage returns belongs to the newline.
			end, toEndOfLine = at+len(bytes.TrimSuffix(rest[:length], []byte("\r"))), true
			at += length
		case bytes.HasPrefix(rest, []byte("/*")):
			at += 2 + bytes.Index(rest[2:], []byte("*/")) + 2
			end, toEndOfLine = at, false
		default:
			at++
		}
	}
	return end, toEndOfLine
}
