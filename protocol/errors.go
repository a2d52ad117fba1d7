package protocol

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/sourcegraph/jsonrpc2"
)

// Error codes: those of JSON-RPC 2.0 and of `ErrorCode` in the ACP schema.
const (
	CodeParse            = -32700
	CodeInvalidRequest   = -32600
	CodeMethodNotFound   = -32601
	CodeInvalidParams    = -32602
	CodeInternal         = -32603
	CodeRequestCancelled = -32800
	CodeAuthRequired     = -32000
	CodeNotFound         = -32002
)

// messageOf returns the specifications' text for a code, or "" if they have
// none.
func messageOf(code int64) string {
	switch code {
	case CodeParse:
		return "Parse error"
	case CodeInvalidRequest:
		return "Invalid request"
	case CodeMethodNotFound:
		return "Method not found"
	case CodeInvalidParams:
		return "Invalid params"
	case CodeInternal:
		return "Internal error"
	case CodeRequestCancelled:
		return "Request cancelled"
	case CodeAuthRequired:
		return "Authentication required"
	case CodeNotFound:
		return "Resource not found"
	}
	return ""
}

// An Error is an error with a JSON-RPC code. The code is set where the error
// occurs; errors.As finds it through any wrapping.
type Error struct {
	Code int64
	Err  error          // the cause, sent to the peer as data.details
	Data map[string]any // further members of data
}

// Errorf returns an Error with a code and a cause.
func Errorf(code int64, format string, args ...any) *Error {
	return &Error{Code: code, Err: fmt.Errorf(format, args...)}
}

// With adds a member to the error's data.
func (e *Error) With(key string, value any) *Error {
	if e.Data == nil {
		e.Data = make(map[string]any)
	}
	e.Data[key] = value
	return e
}

// Error implements error.
func (e *Error) Error() string { return messageOf(e.Code) + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is an Error with the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code && t.Err == nil
}

// Wire returns err as it is sent to the peer. An error without a code is an
// internal error, and a cancelled context is a cancelled request. Clients read
// the cause from data.details (Zed, avante) or data.error (CodeCompanion).
func Wire(err error) *jsonrpc2.Error {
	var coded *Error
	switch {
	case errors.As(err, &coded):
	case errors.Is(err, context.Canceled):
		coded = &Error{Code: CodeRequestCancelled, Err: err}
	default:
		coded = &Error{Code: CodeInternal, Err: err}
	}
	data := map[string]any{"details": coded.Err.Error(), "error": coded.Err.Error()}
	maps.Copy(data, coded.Data)
	out := &jsonrpc2.Error{Code: coded.Code, Message: messageOf(coded.Code)}
	raw, err := json.Marshal(data)
	if err == nil {
		out.Data = (*json.RawMessage)(&raw)
	}
	return out
}
