package agui

import (
	"net/http"

	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// foreignError reports that a server streams events of another protocol.
type foreignError struct{ url string }

// Error implements error.
func (e *foreignError) Error() string {
	return "the events of " + e.url + " are not those of AG-UI. Check the URL: this may be another server"
}

// Code implements lifecycle.Coded.
func (*foreignError) Code() string { return "agent_unexpected_answer" }

// pathError reports that a server has no AG-UI endpoint at the URL.
type pathError struct{ error }

// Error implements error.
func (e *pathError) Error() string {
	return e.error.Error() + ". The path depends on the framework: try /, /agent, /agui, or see where the server mounts AG-UI"
}

// Unwrap returns the response.
func (e *pathError) Unwrap() error { return e.error }

// explained adds what to do about an error that is typical of AG-UI.
func explained(err error) error {
	if httpsse.HasStatus(err, http.StatusNotFound, http.StatusMethodNotAllowed) {
		return &pathError{err}
	}
	return err
}
