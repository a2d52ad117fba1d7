package ethos

import "github.com/turnwire/turnwire/internal/agent/transport/lifecycle"

// agentError is an error for the user.
type agentError struct {
	code, text string
	cause      error
}

// Error codes for errors without a code from Ethos.
const (
	codeNotStarted   = "agent_start_failed"
	codeExited       = "agent_exited"
	codeDisconnected = "agent_disconnected"
	codeUnreachable  = "agent_unreachable"
	codeUnauthorized = "unauthorized" // a token is missing or wrong
)

// Error implements error.
func (e *agentError) Error() string { return e.text }

// Code implements [lifecycle.Coded].
func (e *agentError) Code() string { return e.code }

// Unwrap returns the cause.
func (e *agentError) Unwrap() error { return e.cause }

var _ lifecycle.Coded = (*agentError)(nil)
