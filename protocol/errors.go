package protocol

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// Error codes from JSON-RPC 2.0 and from `ErrorCode` in the ACP schema.
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

// messageOf returns the specification's text for a code, or "" if it defines none.
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

// An Error is an error with a JSON-RPC code. The code is set where the error occurs;
// errors.As finds it through any wrapping.
type Error struct {
	Code int64
	Err  error          // the cause, sent to the peer as data.details
	Data map[string]any // additional members of data
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

// Wire returns err in the form that is sent to the peer. An error without a code
// becomes an internal error, and a cancelled context a cancelled request. Clients read
// the cause from data.details (Zed, avante) or data.error (CodeCompanion). Many show
// only the message, so the message of an internal error is its cause.
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
	if cause := sentence(coded.Err.Error()); coded.Code == CodeInternal && cause != "" {
		out.Message = cause
	}
	raw, err := json.Marshal(data)
	if err == nil {
		out.Data = (*json.RawMessage)(&raw)
	}
	return out
}

// maxMessage bounds an error's message, in bytes; data holds the whole cause.
const maxMessage = 300

// sentence returns the first line of a cause.
func sentence(cause string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(cause), "\n")
	if len(line) > maxMessage {
		line = strings.ToValidUTF8(line[:maxMessage], "") + "…"
	}
	return strings.TrimSpace(line)
}

// maxReason bounds what [Reason] returns, in bytes.
const maxReason = 2000

// Reason returns the text to show a user for a peer's error: its message, followed by
// the cause in its data. If the message only says "Internal error", Reason returns the
// cause alone.
func Reason(e *jsonrpc2.Error) string {
	message := strings.TrimSpace(e.Message)
	cause := causeOf(e.Data)
	switch {
	case cause == "" || strings.Contains(message, cause):
	case message == "", strings.EqualFold(message, messageOf(CodeInternal)), strings.HasPrefix(cause, message):
		message = cause
	default:
		message += ": " + cause
	}
	if len(message) > maxReason {
		message = strings.ToValidUTF8(message[:maxReason], "") + "…"
	}
	return message
}

// causeOf returns the text in an error's data. Peers use several member names for it.
func causeOf(data *json.RawMessage) string {
	if data == nil {
		return ""
	}
	var text string
	if exactjson.Unmarshal(*data, &text) == nil {
		return strings.TrimSpace(text)
	}
	var members struct {
		Details any `json:"details"`
		Error   any `json:"error"`
		Message any `json:"message"`
	}
	if exactjson.Unmarshal(*data, &members) != nil {
		return ""
	}
	for _, v := range []any{members.Details, members.Error, members.Message} {
		if text, ok := v.(string); ok && strings.TrimSpace(text) != "" {
			return strings.TrimSpace(text)
		}
	}
	return ""
}
