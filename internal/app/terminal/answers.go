package terminal

import (
	"slices"
	"strconv"
	"strings"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// answers are the answers given on the command line. Each question uses the next one. In
// a question with several fields, each field uses the next one, but an answer that names
// the field (NAME=VALUE) comes first. If no answer is left, the user is asked.
type answers struct{ left []string }

// fit reports whether the remaining answers suffice for the question. A question with a
// URL always needs the user.
func (a *answers) fit(m *questionAsked) bool {
	_, _, ok := a.fill(m)
	return ok
}

// next answers the question.
func (a *answers) next(m *questionAsked) v1.ElicitationResponse {
	f, left, _ := a.fill(m)
	a.left = left
	f.action = v1.ElicitAccept
	r, _ := f.answer().(v1.ElicitationResponse)
	return r
}

// fill returns the completed form of the question, and the remaining answers.
func (a *answers) fill(m *questionAsked) (f *form, left []string, ok bool) {
	if len(a.left) == 0 || m.request.Mode != v1.ElicitForm {
		return nil, nil, false
	}
	f, left = newForm(m), slices.Clone(a.left)
	for _, field := range f.fields {
		i, value := pick(left, field, f.fields)
		if i < 0 {
			if field.required && field.initial == nil {
				return nil, nil, false
			}
			continue
		}
		field.give(value)
		if !field.check() {
			return nil, nil, false
		}
		left = slices.Delete(left, i, i+1)
	}
	return f, left, len(left) < len(a.left)
}

// pick returns the index and the value of the answer for a field of a form: the first
// answer that names the field, or else the first that names no field of the form.
func pick(answers []string, f *field, form []*field) (i int, value string) {
	named := func(answer string, f *field) (value string, ok bool) {
		name, value, ok := strings.Cut(answer, "=")
		return value, ok && name == f.name
	}
	for i, a := range answers {
		if value, ok := named(a, f); ok {
			return i, value
		}
	}
	for i, a := range answers {
		if !slices.ContainsFunc(form, func(other *field) bool { _, ok := named(a, other); return ok }) {
			return i, a
		}
	}
	return -1, ""
}

// give fills in a value. A choice may also be given by its title.
func (f *field) give(value string) {
	words := []string{value}
	if f.multiple {
		words = strings.Split(value, ",")
	}
	for i, w := range words {
		w = strings.TrimSpace(w)
		for n, c := range f.choices {
			if w == c.value || w == c.title {
				w = strconv.Itoa(n + 1)
				break
			}
		}
		words[i] = w
	}
	if len(f.choices) > 0 {
		value = strings.Join(words, ",")
	}
	f.input = []rune(value)
}
