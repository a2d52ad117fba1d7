package core

import (
	"errors"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// A Request is a request from the agent to its user or to the client.
type Request struct {
	Session string // "" if no session is known
	Method  string
	Params  []byte
	// About is the call that the request relates to, or nil. A view puts its own id for
	// that call into the member requestId of Params.
	About *Call
	// Gate, if not nil, makes the request wait while the client does not read. If it is set
	// by the time there is room, the request is dropped.
	Gate *atomic.Bool
	// Offered are the options of a permission request.
	Offered []consent.Option
	// Answered is called with the answer, at most once, and never while a view holds a
	// lock. It may be nil. Views don't call it directly; they call [Request.Reply].
	Answered func(Answer)
}

// An Answer is a client's answer. Exactly one of Result and Failure is set.
type Answer struct {
	Result, Failure []byte // JSON
	// By is the client that answered; nil if unknown.
	By *consent.Client
	// Chosen is the offered option that the answer to a permission request selects. It
	// is the zero option if the answer selects none.
	Chosen consent.Option
	// Accepted holds the texts that the user accepts instead of those that the request
	// shows; nil if the answer accepts those, or permits nothing.
	Accepted []Accepted
	// Unasked says why the user was not asked for permission; "" if the user was asked.
	Unasked string
}

// Err returns the client's error, or nil.
func (a *Answer) Err() error {
	if a.Failure == nil {
		return nil
	}
	var e jsonrpc2.Error
	if err := exactjson.Unmarshal(a.Failure, &e); err != nil {
		return errors.New("the client responded with a malformed error")
	}
	return &e
}

// Decode decodes the result into the value that into points to. It does nothing if into
// is nil, and returns the client's error if there is one.
func (a *Answer) Decode(into any) error {
	if err := a.Err(); err != nil || into == nil {
		return err
	}
	return exactjson.Unmarshal(a.Result, into)
}
