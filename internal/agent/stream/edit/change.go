package edit

import (
	"errors"
	"fmt"
)

// maxChanges limits the files that one call may change, and the edits of one
// file.
const maxChanges = 64

// A Change is what a call would do to one file.
type Change struct {
	Path   string // as in the arguments; not empty
	MoveTo string // the file's new path, or ""

	deletes bool
	cell    *cell // set if the change is about a notebook cell
	steps   []step
}

// A step changes a text. exists is false if the file does not exist yet.
type step interface {
	apply(text string, exists bool) (string, error)
}

// Errors of changes that can't be applied.
var (
	ErrMissing   = errors.New("the file does not exist")
	ErrExists    = errors.New("the file already exists")
	ErrNotFound  = errors.New("the text to replace is not in the file")
	ErrAmbiguous = errors.New("the text to replace occurs more than once")
	ErrTooLong   = errors.New("the new text is too long")
)

// A Result is a file's displayed text before and after a change. Old is nil if
// the file is new.
type Result struct {
	Old *string
	New string
}

// Apply applies the change to a file with the given text; nil means that the
// file does not exist. It returns an error if the change can't be applied.
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

// Target returns the file's path after the change.
func (c *Change) Target() string {
	if c.MoveTo != "" {
		return c.MoveTo
	}
	return c.Path
}

// Deletes reports whether the change deletes the file.
func (c *Change) Deletes() bool { return c.deletes }

// After returns what to show for a file that a call changed, given its text
// before and now; nil means that the file does not exist. ok is false if the
// texts don't tell what was changed.
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

// Whole returns the text of a call that writes a whole file or appends to one.
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

// Stated returns the old and new texts that the call itself contains. They can be
// shown if the file can't be read.
func (c *Change) Stated() []Result {
	var out []Result
	for _, s := range c.steps {
		switch s := s.(type) {
		case *replacement:
			out = append(out, Result{Old: &s.old, New: s.text})
		case *created:
			out = append(out, Result{New: s.text})
		case *patch:
			out = append(out, s.stated()...)
		}
	}
	return out
}
