package config

import (
	"fmt"
	"strings"
)

// An Error describes a mistake in a file.
type Error struct {
	File string
	Line int    // 1-based; 0 if unknown
	Key  string // such as agents.mine.url; "" for the file as a whole
	Err  error
}

// Error implements error.
func (e *Error) Error() string {
	var s strings.Builder
	if e.File != "" {
		s.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&s, ":%d", e.Line)
		}
		s.WriteString(": ")
	}
	if e.Key != "" {
		s.WriteString(e.Key + ": ")
	}
	return s.String() + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }
