package acp

import (
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent/transport/child"
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

// command names the agent's command without its arguments, which may hold what
// is nobody else's business.
func (l *conn) command() string { return fmt.Sprintf("the agent `%s`", l.config.Args[0]) }

// exited is the error of a child that has ended.
func (l *conn) exited(status child.ExitStatus) error {
	return &userError{codeExited, fmt.Sprintf("%s exited (%s)%s", l.command(), status, l.lastWords()), nil}
}

// lastWords is the end of what the child wrote to stderr.
func (l *conn) lastWords() string {
	if tail := l.child.StderrTail(); tail != "" {
		return "; the end of its stderr: " + tail
	}
	return ""
}
