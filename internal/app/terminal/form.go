package terminal

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/visible"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// The actions of an answer to a form.
const (
	actionAccept  = "accept"
	actionDecline = "decline"
	actionCancel  = "cancel"
)

// A form asks for the values of an elicitation, one field after the other.
type form struct {
	id      jsonrpc2.ID
	message string
	fields  []*field
	now     int
	action  string
}

func newForm(m *questionAsked) *form {
	schema := m.request.RequestedSchema
	f := &form{id: m.id, message: m.request.Message, action: actionCancel}
	// JSON objects have no order: required values come first, in the order of
	// the list.
	names := slices.Clone(schema.Required)
	var optional []string
	for name := range schema.Properties {
		if !slices.Contains(schema.Required, name) {
			optional = append(optional, name)
		}
	}
	slices.Sort(optional)
	for _, name := range append(names, optional...) {
		if p, ok := schema.Properties[name]; ok {
			f.fields = append(f.fields, newField(name, p, slices.Contains(schema.Required, name)))
		}
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
	return rows
}

func (f *form) rows(st style) []string {
	if f.now >= len(f.fields) {
		return []string{st.accent("Enter") + " accepts  " + st.dim("Esc declines")}
	}
	return f.fields[f.now].rows(st, len(f.fields) > 1)
}

// press lets Escape decline the question. Only Ctrl-C cancels the turn, because
// every character may be part of an answer.
func (f *form) press(k key) verdict {
	switch k.code {
	case keyInterrupt:
		return cancelTurn
	case keyEscape:
		f.action = actionDecline
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
	f.action = actionAccept
	return decided
}

func (f *form) answer() any {
	r := v1.ElicitationResponse{Action: f.action}
	if f.action != actionAccept {
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
	if f.action != actionAccept {
		return st.yellow("not answered")
	}
	var parts []string
	for _, field := range f.fields {
		if s := field.text(); s != "" {
			parts = append(parts, s)
		}
	}
	return st.green(strings.Join(parts, ", "))
}
