package terminal

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A field is one value of a form: a choice, several choices, or a line of text.
type field struct {
	name     string
	label    string
	help     string
	kind     string // the type in the schema
	choices  []string
	multiple bool
	required bool
	input    []rune
	problem  string
}

func newField(name string, p v1.ElicitationProperty, required bool) *field {
	f := &field{name: name, kind: p.Type, choices: p.Enum, required: required}
	f.label, f.help = cleanLine(p.Title), cleanLine(p.Description)
	if f.label == "" {
		f.label = cleanLine(name)
	}
	switch {
	case p.Type == "array" && p.Items != nil:
		f.choices, f.multiple = p.Items.Enum, true
	case p.Type == "boolean":
		f.choices = []string{"yes", "no"}
	}
	return f
}

func (f *field) rows(st style, labelled bool) []string {
	var rows []string
	if labelled {
		rows = append(rows, st.bold(f.label))
	}
	if f.help != "" {
		rows = append(rows, st.dim(f.help))
	}
	for i, c := range f.choices {
		rows = append(rows, fmt.Sprintf("  %s %s", st.accent(strconv.Itoa(i+1)+"."), cleanLine(c)))
	}
	if f.problem != "" {
		rows = append(rows, st.yellow(f.problem))
	}
	return append(rows, st.accent("› ")+string(f.input)+cursor(st)+st.dim(f.hint()))
}

// cursor marks where the next character goes; the terminal's own cursor is
// hidden.
func cursor(st style) string {
	if !st.live {
		return ""
	}
	return "▏"
}

func (f *field) hint() string {
	if len(f.input) > 0 {
		return ""
	}
	switch {
	case f.multiple:
		return "  numbers, then Enter"
	case len(f.choices) > 0:
		return fmt.Sprintf("  1–%d", len(f.choices))
	case !f.required:
		return "  Enter leaves it empty"
	}
	return "  Enter sends"
}

// press reports whether the field is filled in. A number that cannot become a
// longer valid number needs no Enter.
func (f *field) press(k key) bool {
	f.problem = ""
	if k.code == keyEnter {
		return f.check()
	}
	f.input = edit(f.input, k)
	if k.code != keyChar || len(f.choices) == 0 || f.multiple {
		return false
	}
	n, err := strconv.Atoi(string(f.input))
	return err == nil && n >= 1 && n <= len(f.choices) && n*10 > len(f.choices)
}

// check reports whether the input is an answer. If it is not, problem says why.
func (f *field) check() bool {
	text := strings.TrimSpace(string(f.input))
	switch {
	case text == "" && !f.required:
		return true
	case text == "":
		f.problem = "An answer is needed; Esc declines."
	case len(f.choices) > 0 && len(f.picked()) == 0:
		f.problem = fmt.Sprintf("Choose from 1 to %d.", len(f.choices))
	case f.value() == nil:
		f.problem = "That is not a value of type " + cleanLine(f.kind) + "."
	default:
		return true
	}
	f.input = nil
	return false
}

// picked returns the chosen choices, or nil if one of them is invalid.
func (f *field) picked() []string {
	words := strings.FieldsFunc(string(f.input), func(r rune) bool { return r == ' ' || r == ',' })
	if !f.multiple && len(words) != 1 {
		return nil
	}
	var out []string
	for _, w := range words {
		n, err := strconv.Atoi(w)
		switch {
		case err == nil && n >= 1 && n <= len(f.choices):
			w = f.choices[n-1]
		case !slices.Contains(f.choices, w):
			return nil
		}
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// text returns the answer as a user reads it.
func (f *field) text() string {
	if len(f.choices) > 0 {
		return cleanLine(strings.Join(f.picked(), ", "))
	}
	return strings.TrimSpace(string(f.input))
}

// value returns the answer in the form that the schema asks for, or nil if
// there is none.
func (f *field) value() json.RawMessage {
	text := strings.TrimSpace(string(f.input))
	if text == "" {
		return nil
	}
	var v any = text
	switch {
	case f.multiple:
		v = f.picked()
	case len(f.choices) > 0:
		picked := f.picked()
		if len(picked) == 0 {
			return nil
		}
		v = picked[0]
		if f.kind == "boolean" {
			v = picked[0] == "yes"
		}
	case f.kind == "integer":
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil
		}
		v = n
	case f.kind == "number":
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil
		}
		v = n
	}
	raw, err := json.Marshal(v)
	if err != nil { // Inf and NaN parse, but are not JSON.
		return nil
	}
	return raw
}
