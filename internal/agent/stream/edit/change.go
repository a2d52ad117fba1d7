package edit

import (
	"errors"
	"fmt"
)

// maxChanges bounds the files that one call may change, and the edits of one
// file.
const maxChanges = 64

// A Change is what a call would do to one file.
type Change struct {
	Path   string // as the call names it; not empty
	MoveTo string // the new path of the file, or ""

	deletes bool
	cell    *cell // the change is about a cell of a notebook
	steps   []step
}

// A step changes a text. exists says that there is a text to change.
type step interface {
	apply(text string, exists bool) (string, error)
}

// Errors of changes that do not apply.
var (
	ErrMissing   = errors.New("there is no such file")
	ErrExists    = errors.New("the file exists already")
	ErrNotFound  = errors.New("the text to replace is not in the file")
	ErrAmbiguous = errors.New("the text to replace is in the file more than once")
	ErrTooLong   = errors.New("the new text is too long")
)

// A Result is what is shown of a file before and after a change. Old is nil if
// the file is new.
type Result struct {
	Old *string
	New string
}

// Apply returns the result of the change for a file with the given text; nil
// means that there is no file. It fails if the change does not apply.
func (c *Change) Apply(old *string) (Result, error) {
	if c.cell != nil {
		return c.cell.apply(old)
	}
	text := ""
	if old != nil {
		text = *old
	}
	if c.deletes {
		if old == nil {
			return Result{}, ErrMissing
		}
		return Result{Old: old}, nil
	}
	exists := old != nil
	for i, s := range c.steps {
		next, err := s.apply(text, exists)
		if err != nil {
			return Result{}, fmt.Errorf("edit %d: %w", i+1, err)
		}
		text, exists = next, true
	}
	return Result{Old: old, New: text}, nil
}

// Target returns the path at which the result is, after the change.
func (c *Change) Target() string {
	if c.MoveTo != "" {
		return c.MoveTo
	}
	return c.Path
}

// Deletes reports whether the file is gone after the change.
func (c *Change) Deletes() bool { return c.deletes }

// After returns what is shown of a file that a call has changed, by its text
// before and now; nil means that there is no file. ok is false if that does not
// tell what was changed.
func (c *Change) After(old, now *string) (r Result, ok bool) {
	switch {
	case c.cell != nil:
		return c.cell.after(old, now)
	case c.deletes && now == nil && old != nil:
		return Result{Old: old}, true
	case c.deletes, now == nil, old != nil && *old == *now && c.MoveTo == "":
		return Result{}, false
	}
	return Result{Old: old, New: *now}, true
}

// Whole returns the text of a call that gives the file its whole text, or adds
// one at its end.
func (c *Change) Whole() (text string, ok bool) {
	if len(c.steps) != 1 {
		return "", false
	}
	switch s := c.steps[0].(type) {
	case *whole:
		return s.text, true
	case *appended:
		return s.text, true
	}
	return "", false
}

// Said returns what the call itself holds of the file: the texts that are
// removed and those that take their place. It is what can be shown if the file
// cannot be read.
func (c *Change) Said() []Result {
	var out []Result
	for _, s := range c.steps {
		switch s := s.(type) {
		case *replacement:
			out = append(out, Result{Old: &s.old, New: s.text})
		case *created:
			out = append(out, Result{New: s.text})
		case *patch:
			out = append(out, s.said()...)
		}
	}
	return out
}
