package acp

import (
	"errors"
	"fmt"
)

// userError is an error for the user.
type userError struct {
	code, text string
	err        error
}

// Error implements error.
func (e *userError) Error() string { return e.text }

// Unwrap returns the cause.
func (e *userError) Unwrap() error { return e.err }

// Code implements turns.Coded.
func (e *userError) Code() string { return e.code }

// failureError is the error that an agent has answered with.
type failureError struct{ failure failure }

// Error implements error.
func (e *failureError) Error() string { return e.failure.text() }

// errLost says that the agent does not know the session any more.
var errLost = errors.New("the agent does not know the session")

// command names the agent without its command's arguments, which may hold what
// is nobody else's business.
func (l *conn) command() string { return l.link.Name() }

// exited is the error of an agent that has ended.
func (l *conn) exited() error {
	return &userError{codeExited, fmt.Sprintf("%s %s", l.command(), l.link.End()), nil}
}

// lastWords is the end of what the agent wrote to stderr.
func (l *conn) lastWords() string {
	if tail := l.link.Said(); tail != "" {
		return "; the end of its stderr: " + tail
	}
	return ""
}
