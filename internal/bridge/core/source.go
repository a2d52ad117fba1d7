package core

import "context"

// A Source runs the sessions of an agent.
type Source interface {
	// Call handles a client's request. It does not block.
	Call(c *Call)
	// Notify handles a client's notification. It does not block. params is valid until
	// it returns.
	Notify(method string, params []byte)
	// Keep returns once everything shown so far is saved as durably as the source saves
	// it. A view calls it before a client can read what was shown.
	Keep()
	// Stop cancels all running turns. open holds the unanswered calls. Every one is
	// answered soon, without waiting for the agent. No call follows.
	Stop(open []*Call)
	// Close ends the agent after Stop. It returns when the agent is gone, or when ctx
	// is done.
	Close(ctx context.Context)
}
