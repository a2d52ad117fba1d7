package terminal

import (
	"encoding/json"
	"errors"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// ErrClosed is returned if the agent closes the connection instead of answering.
var ErrClosed = errors.New("the connection to the agent was closed")

// plainError converts the error of a call into one to print.
func plainError(err error) error {
	var answer *jsonrpc2.Error
	switch {
	case errors.As(err, &answer):
		return &AgentError{Code: answer.Code, Message: cleanLine(answer.Message), Details: details(answer.Data)}
	case errors.Is(err, jsonrpc2.ErrClosed):
		return ErrClosed
	}
	return err
}

// An AgentError is an error response from the agent, ready to print.
type AgentError struct {
	Code    int64
	Message string
	Details string
}

// Error implements [error]. Often the message only names the code, and the details
// explain the failure.
func (e *AgentError) Error() string {
	switch {
	case e.Details == "":
		return e.Message
	case e.Code == jsonrpc2.CodeInternalError:
		return e.Details
	}
	return e.Message + ": " + e.Details
}

// details returns the details in data, which the message may lack.
func details(data *json.RawMessage) string {
	if data == nil {
		return ""
	}
	var d struct {
		Details string `json:"details"`
	}
	if exactjson.Unmarshal(*data, &d) != nil {
		return ""
	}
	return clean(d.Details)
}
