package core

import (
	"errors"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// An Ask is something that the agent wants of its user, or of the client.
type Ask struct {
	Session string // "" where it belongs to none that is known
	Method  string
	Params  []byte
	// About is the call that it is about, in which case a view puts its own id of that
	// into the member requestId of Params; nil is for none.
	About *Call
	// Gate, if it is not nil, has the ask wait while the client does not read, and
	// drops it if it is set when there is room.
	Gate *atomic.Bool
	// Offered are the options of a request for permission.
	Offered []consent.Option
	// Answered is called with the answer, at most once, and not while a view holds a
	// lock. It may be nil. A view calls [Ask.Reply].
	Answered func(Answer)
}

// An Answer is what a client has answered. Exactly one of Result and Failure is set.
type Answer struct {
	Result, Failure []byte // JSON
	// By is who has answered; nil if nobody knows.
	By *consent.FrontEnd
	// Chosen is the option that the answer to a request for permission names, of those
	// that were offered; the zero option is none.
	Chosen consent.Option
	// Unasked is why the user was not asked for permission; "" if the user was.
	Unasked string
}

// Err returns the error that the client has answered with, or nil.
func (a *Answer) Err() error {
	if a.Failure == nil {
		return nil
	}
	var e jsonrpc2.Error
	if err := exactjson.Unmarshal(a.Failure, &e); err != nil {
		return errors.New("the client answered with a malformed error")
	}
	return &e
}

// Decode decodes the result, unless the answer is an error or into is nil.
func (a *Answer) Decode(into any) error {
	if err := a.Err(); err != nil || into == nil {
		return err
	}
	return exactjson.Unmarshal(a.Result, into)
}
