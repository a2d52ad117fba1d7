package terminal

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A field is one value of a form: a choice, several choices, or a line of text.
type field struct {
	name     string
	label    string
	help     string
	kind     string // the type in the schema
	choices  []fieldChoice
	multiple bool
	required bool
	secret   bool            // the input is not shown
	initial  json.RawMessage // the default, which Enter accepts; nil if none
	shown    string          // initial in readable form
	input    []rune
	problem  string
}

// A fieldChoice is a choice and its description.
type fieldChoice struct{ value, title, help string }

func newField(name string, p v1.ElicitationProperty, required bool) *field {
	f := &field{name: name, kind: p.Type, required: required, secret: p.Meta[v1.SecretMeta] == true}
	f.label, f.help = cleanLine(p.Title), cleanLine(p.Description)
	if f.label == "" {
		f.label = cleanLine(name)
	}
	plain, titled := p.Enum, p.OneOf
	if p.Type == "array" && p.Items != nil {
		plain, titled, f.multiple = p.Items.Enum, p.Items.AnyOf, true
	}
	for _, value := range plain {
		f.choices = append(f.choices, fieldChoice{value: value, title: value})
	}
	for _, o := range titled {
		f.choices = append(f.choices, fieldChoice{o.Const, o.Title, o.Description})
	}
	if p.Type == "boolean" {
		f.choices = []fieldChoice{{value: "yes", title: "yes"}, {value: "no", title: "no"}}
	}
	f.suggest(p.Default)
	return f
}

// suggest sets the default, which Enter accepts. The default is shown, so that the user
// agrees to nothing unseen.
func (f *field) suggest(value json.RawMessage) {
	if value == nil || string(value) == "null" || f.secret {
		return
	}
	f.initial, f.shown = value, string(value)
	var text string
	var list []string
	switch {
	case f.kind == "boolean":
		f.shown = map[string]string{"true": "yes", "false": "no"}[string(value)]
	case exactjson.Unmarshal(value, &text) == nil:
		f.shown = f.titleOf(text)
	case exactjson.Unmarshal(value, &list) == nil:
		for i := range list {
			list[i] = f.titleOf(list[i])
		}
		f.shown = strings.Join(list, ", ")
	}
	if f.shown = cleanLine(f.shown); f.shown == "" {
		f.initial = nil
	}
}

func (f *field) titleOf(value string) string {
	for _, c := range f.choices {
		if c.value == value && c.title != "" {
			return c.title
		}
	}
	return value
}

func (f *field) rows(st style, labelled, ready bool) []string {
	var rows []string
	if labelled {
		rows = append(rows, st.bold(f.label))
	}
	if f.help != "" {
		rows = append(rows, st.dim(f.help))
	}
	for i, c := range f.choices {
		number := "– "
		if ready {
			number = st.accent(strconv.Itoa(i+1) + ".")
		}
		row := fmt.Sprintf("  %s %s", number, cleanLine(f.titleOf(c.value)))
		if help := cleanLine(c.help); help != "" {
			row += st.dim("  " + help)
		}
		rows = append(rows, row)
	}
	if f.problem != "" {
		rows = append(rows, st.yellow(f.problem))
	}
	if !ready {
		return append(rows, st.dim("  …"))
	}
	typed := string(f.input)
	if f.secret {
		typed = strings.Repeat("•", len(f.input))
	}
	return append(rows, st.accent("› ")+typed+cursor(st)+st.dim(f.hint()))
}

// cursor returns a mark for the position of the next character, because the terminal's
// own cursor is hidden.
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
	case f.initial != nil:
		return "  Enter uses " + f.shown
	case f.multiple:
		return "  numbers, then Enter"
	case len(f.choices) > 0:
		return fmt.Sprintf("  1–%d", len(f.choices))
	case !f.required:
		return "  Enter skips"
	}
	return "  Enter sends"
}

// press reports whether the field is complete. A number that can't become a longer valid
// number needs no Enter.
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

// check reports whether the input is a valid answer. If not, it sets problem.
func (f *field) check() bool {
	text := strings.TrimSpace(string(f.input))
	switch {
	case text == "" && (!f.required || f.initial != nil):
		return true
	case text == "":
		f.problem = "An answer is required; Esc declines."
	case len(f.choices) > 0 && len(f.picked()) == 0:
		f.problem = fmt.Sprintf("Choose from 1 to %d.", len(f.choices))
	case f.value() == nil:
		f.problem = "This is not a value of type " + cleanLine(f.kind) + "."
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
			w = f.choices[n-1].value
		case !slices.ContainsFunc(f.choices, func(c fieldChoice) bool { return c.value == w }):
			return nil
		}
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// text returns the answer in readable form.
func (f *field) text() string {
	typed := strings.TrimSpace(string(f.input))
	switch {
	case typed == "" && f.initial != nil:
		return f.shown
	case f.secret && typed != "":
		return "•••"
	case len(f.choices) == 0:
		return typed
	}
	picked := f.picked()
	for i := range picked {
		picked[i] = f.titleOf(picked[i])
	}
	return cleanLine(strings.Join(picked, ", "))
}

// value returns the answer as the schema requires it, or nil if the field is empty or
// invalid.
func (f *field) value() json.RawMessage {
	text := strings.TrimSpace(string(f.input))
	if text == "" {
		return f.initial
	}
	var v any = text
	if f.secret {
		v = string(f.input) // spaces may be part of it
	}
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
	if err != nil { // Inf and NaN parse, but aren't JSON
		return nil
	}
	return raw
}
