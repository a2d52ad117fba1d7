package events

import (
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A method handles a call. It runs on the reader's goroutine, so slow work must
// continue in another one. The call is answered exactly once. If the method returns an
// error, that is the answer.
type method func(c *source, call *core.Call) error

// methodOf returns the method with a name, or nil. To support another method, add it
// here.
func methodOf(name string) method {
	switch name {
	case v1.MethodInitialize:
		return (*source).initialize
	case v1.MethodAuthenticate:
		return authenticate
	case v1.MethodSessionNew:
		return (*source).newSession
	case v1.MethodSessionLoad:
		return saved(func(c *source, call *core.Call) error { return c.reopenSession(call, true) })
	case v1.MethodSessionResume:
		return saved(func(c *source, call *core.Call) error { return c.reopenSession(call, false) })
	case v1.MethodSessionList:
		return saved((*source).listSessions)
	case v1.MethodSessionDelete:
		return saved((*source).deleteSession)
	case v1.MethodSessionFork:
		return saved((*source).forkSession)
	case v1.MethodSetTitle:
		return saved((*source).setTitle)
	case v1.MethodSessionPrompt:
		return (*source).prompt
	case v1.MethodSteering:
		return (*source).steer
	case v1.MethodSessionClose:
		return (*source).closeSession
	case v1.MethodSetConfig:
		return (*source).setConfig
	case v1.MethodSetMode:
		return (*source).setMode
	}
	return nil
}

// saved wraps a method that needs saved sessions: the method fails if sessions are not
// saved.
func saved(m method) method {
	return func(c *source, call *core.Call) error {
		if c.cfg.Journal == nil {
			return protocol.Errorf(protocol.CodeMethodNotFound, "sessions are not saved: Turnwire was started without a journal")
		}
		return m(c, call)
	}
}

// Call implements [core.Source].
func (c *source) Call(call *core.Call) {
	m := methodOf(call.Method)
	if m == nil {
		call.Fail(protocol.Errorf(protocol.CodeMethodNotFound, "%s", call.Method).With("method", call.Method))
		return
	}
	if err := m(c, call); err != nil {
		call.Fail(err)
	}
}

// Notify implements [core.Source].
func (c *source) Notify(method string, params []byte) {
	if method != v1.MethodSessionCancel {
		c.cfg.Log.Debug("ignored a notification", "method", method)
		return
	}
	if err := c.cancelSession(params); err != nil {
		c.cfg.Log.Warn("ignored a notification", "method", method, "error", err)
	}
}

func missing(name string) error {
	return protocol.Errorf(protocol.CodeInvalidParams, "%s is missing", name)
}
