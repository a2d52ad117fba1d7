package terminal

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

// A form asks for the values of an elicitation, one field after the other, or asks the
// user to open a URL.
type form struct {
	id        jsonrpc2.ID
	message   string
	url       string
	fields    []*field
	now       int
	action    string
	withdrawn bool // the request was withdrawn
	over      bool // because the turn ended
}

func newForm(m *questionAsked) *form {
	f := &form{id: m.id, message: m.request.Message, action: v1.ElicitCancel}
	if m.request.Mode == v1.ElicitURL {
		f.url = m.request.URL
		return f
	}
	schema := m.request.RequestedSchema
	if schema == nil {
		return f
	}
	for _, p := range schema.Properties {
		f.fields = append(f.fields, newField(p.Name, p.Property, slices.Contains(schema.Required, p.Name)))
	}
	return f
}

func (f *form) request() jsonrpc2.ID { return f.id }

func (f *form) header(st style) []string {
	rows := splitLines(visible.Text(f.message))
	for i, row := range rows {
		mark := "  "
		if i == 0 {
			mark = st.yellow("?") + " "
		}
		rows[i] = mark + st.bold(row)
	}
	if f.url != "" {
		rows = append(rows, "  "+visible.Text(f.url))
	}
	return rows
}

func (f *form) rows(st style, ready bool) []string {
	enter := "Enter"
	if ready {
		enter = st.accent("[Enter]")
	}
	if f.url != "" {
		return []string{enter + " if you open it  " + st.dim("Esc declines")}
	}
	if f.now >= len(f.fields) {
		return []string{enter + " accepts  " + st.dim("Esc declines")}
	}
	return f.fields[f.now].rows(st, len(f.fields) > 1, ready)
}

// press handles a key. Escape declines the question. Only Ctrl-C cancels the turn,
// because every character may be part of an answer.
func (f *form) press(k key) verdict {
	switch k.code {
	case keyInterrupt:
		return cancelTurn
	case keyEscape:
		f.action = v1.ElicitDecline
		return decided
	case keyEnd:
		return decided
	}
	if f.now < len(f.fields) {
		if !f.fields[f.now].press(k) {
			return undecided
		}
		f.now++
		if f.now < len(f.fields) {
			return undecided
		}
	} else if k.code != keyEnter {
		return undecided
	}
	f.action = v1.ElicitAccept
	return decided
}

func (f *form) withdraw(over bool) { f.withdrawn, f.over = true, over }

func (f *form) answer() any {
	r := v1.ElicitationResponse{Action: f.action}
	if f.action != v1.ElicitAccept || f.url != "" {
		return r
	}
	r.Content = map[string]json.RawMessage{}
	for _, field := range f.fields {
		if v := field.value(); v != nil {
			r.Content[field.name] = v
		}
	}
	return r
}

func (f *form) outcome(st style) string {
	if f.withdrawn {
		return withdrawal(st, f.over)
	}
	if f.action != v1.ElicitAccept {
		return st.yellow("not answered")
	}
	if f.url != "" {
		return st.green("agreed")
	}
	var parts []string
	for _, field := range f.fields {
		if s := field.text(); s != "" {
			parts = append(parts, s)
		}
	}
	return st.green(strings.Join(parts, ", "))
}
