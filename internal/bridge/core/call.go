package core

import (
	"encoding/json"
	"errors"
	"sync"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A Call is a client's request that was not answered yet.
type Call struct {
	Method string
	Params json.RawMessage // nil if absent
	// Replay asks session/fork to show the history of the new session before the answer, as
	// session/load does. The source sets Replayed if it did.
	Replay, Replayed bool

	reply func(c *Call, result []byte, err error)

	mu       sync.Mutex
	cancel   func()
	accepted func()                         // may be nil
	replied  func(result []byte, err error) // may be nil
	amended  func(result []byte)            // may be nil
}

// NewCall returns a call. Its answer, a JSON result or an error, is passed to reply. The
// result is only valid until reply returns.
func NewCall(method string, params []byte, reply func(c *Call, result []byte, err error)) *Call {
	return &Call{Method: method, Params: params, reply: reply}
}

// Accept tells the view that the source carries out the call, before it shows anything of
// that. Only prompts need it.
func (c *Call) Accept() {
	c.mu.Lock()
	accepted := c.accepted
	c.mu.Unlock()
	if accepted != nil {
		accepted()
	}
}

// OnAccept sets the function that Accept calls.
func (c *Call) OnAccept(accepted func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.accepted = accepted
}

// Reply answers with a result of one of package v1's types.
func (c *Call) Reply(result any) { c.answer(v1.AppendValue(nil, result), nil) }

// ReplyJSON answers with a JSON result.
func (c *Call) ReplyJSON(result []byte) { c.answer(result, nil) }

// Fail answers with an error. A [*AgentError] reaches the client unchanged.
func (c *Call) Fail(err error) { c.answer(nil, err) }

func (c *Call) answer(result []byte, err error) {
	c.mu.Lock()
	replied := c.replied
	c.mu.Unlock()
	if replied != nil {
		replied(result, err)
	}
	c.reply(c, result, err)
}

// OnReply sets a function that is called with the answer before the client gets it.
func (c *Call) OnReply(replied func(result []byte, err error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replied = replied
}

// Amend passes on a newer result of "initialize" after its answer, which may have been given
// for an agent that had not answered yet. The result is only valid until Amend returns.
func (c *Call) Amend(result []byte) {
	c.mu.Lock()
	amended := c.amended
	c.mu.Unlock()
	if amended != nil {
		amended(result)
	}
}

// OnAmend sets the function that Amend calls. Without it, newer results are ignored.
func (c *Call) OnAmend(amended func(result []byte)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.amended = amended
}

// OnCancel sets the function that Cancel calls.
func (c *Call) OnCancel(cancel func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel = cancel
}

// Cancel tells the source that the client no longer waits for the answer. The source
// still answers the call.
func (c *Call) Cancel() {
	c.mu.Lock()
	cancel := c.cancel
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// Decode decodes the params. Missing params and an empty array count as an empty
// object.
func (c *Call) Decode(into any) error { return Decode(c.Params, into) }

// Decode decodes the params of a call or a notification.
func Decode(params json.RawMessage, into any) error {
	if len(params) == 0 || string(params) == "[]" || string(params) == "null" {
		params = json.RawMessage("{}")
	}
	if err := exactjson.Unmarshal(params, into); err != nil {
		return protocol.Errorf(protocol.CodeInvalidParams, "%w", err)
	}
	return nil
}

// An AgentError is an agent's error as JSON, with a code and a message. It owns the JSON,
// which must not be part of a line that is read into again.
type AgentError struct{ JSON []byte }

// Error implements error.
func (f *AgentError) Error() string { return string(f.JSON[:min(len(f.JSON), maxShown)]) }

// A ClosedError is the error of a request that closed its session before it failed. The
// session's clients can no longer use it.
type ClosedError struct{ Err error }

// Error implements error.
func (e *ClosedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *ClosedError) Unwrap() error { return e.Err }

// EndedHere returns the message that tells a client why it can no longer use a session.
func EndedHere(cause error) string {
	why := cause.Error()
	if f, ok := errors.AsType[*AgentError](cause); ok {
		why = rawmsg.MemberText(f.JSON, "message")
	}
	return "\n\n> ⚠ This session ended here: " + why + "\n\n"
}

// maxShown bounds the part of an agent's error that Error returns, in bytes.
const maxShown = 200

// Wire returns err as JSON for a client.
func Wire(err error) []byte {
	if closed, ok := errors.AsType[*ClosedError](err); ok {
		err = closed.Err
	}
	if f, ok := err.(*AgentError); ok { //nolint:errorlint // one that is wrapped says more
		return f.JSON
	}
	raw, encodeErr := json.Marshal(protocol.Wire(err))
	if encodeErr != nil { // can't happen: data holds only JSON values
		return []byte(`{"code":-32603,"message":"internal error"}`)
	}
	return raw
}
