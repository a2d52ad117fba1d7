package core

import (
	"encoding/json"
	"sync"

	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A Call is a request of a client that is not answered.
type Call struct {
	Method string
	Params json.RawMessage // nil where there are none

	reply func(c *Call, result []byte, err error)

	mu      sync.Mutex
	cancel  func()
	replied func(result []byte, err error) // may be nil
}

// NewCall returns a call whose answer is given to reply: a result as JSON, or an error.
func NewCall(method string, params []byte, reply func(c *Call, result []byte, err error)) *Call {
	return &Call{Method: method, Params: params, reply: reply}
}

// Reply answers with a result, which is a type of package v1.
func (c *Call) Reply(result any) { c.answer(v1.AppendValue(nil, result), nil) }

// ReplyJSON answers with a result that is JSON.
func (c *Call) ReplyJSON(result []byte) { c.answer(result, nil) }

// Fail answers with an error. A [*AgentError] reaches the client as it is.
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

// OnReply sets the function that is called with the answer before the client gets it.
func (c *Call) OnReply(replied func(result []byte, err error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replied = replied
}

// OnCancel sets the function that Cancel calls.
func (c *Call) OnCancel(cancel func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel = cancel
}

// Cancel tells the source that the client does not wait for the answer any more. The
// call is answered all the same.
func (c *Call) Cancel() {
	c.mu.Lock()
	cancel := c.cancel
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// Decode decodes the params. Absent params and an empty array count as an empty object.
func (c *Call) Decode(into any) error { return Decode(c.Params, into) }

// Decode decodes the params of a call or of a notification.
func Decode(params json.RawMessage, into any) error {
	if len(params) == 0 || string(params) == "[]" || string(params) == "null" {
		params = json.RawMessage("{}")
	}
	if err := exactjson.Unmarshal(params, into); err != nil {
		return protocol.Errorf(protocol.CodeInvalidParams, "%w", err)
	}
	return nil
}

// An AgentError is an error of an agent as JSON, with a code and a message.
type AgentError struct{ JSON []byte }

// Error implements error.
func (f *AgentError) Error() string { return string(f.JSON[:min(len(f.JSON), maxShown)]) }

// maxShown bounds what an error shows of an agent's, in bytes.
const maxShown = 200

// Wire returns err as JSON for a client.
func Wire(err error) []byte {
	if f, ok := err.(*AgentError); ok { //nolint:errorlint // one that is wrapped says more
		return f.JSON
	}
	raw, encodeErr := json.Marshal(protocol.Wire(err))
	if encodeErr != nil { // its data is a map of what JSON has
		return []byte(`{"code":-32603,"message":"internal error"}`)
	}
	return raw
}
