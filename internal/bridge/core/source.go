package core

import "context"

// A Source has the sessions of an agent.
type Source interface {
	// Call has the agent do what a client asks for. It does not block.
	Call(c *Call)
	// Notify passes on a notification of a client. It does not block. params is valid
	// until it returns.
	Notify(method string, params []byte)
	// Keep returns when all that was shown so far is kept as the source keeps it. A
	// view calls it before a client can read what was shown.
	Keep()
	// Stop cancels all that runs. Every call is answered soon, without waiting for the
	// agent; open are those that are not answered. No call follows.
	Stop(open []*Call)
	// Close ends the agent after Stop, and returns when nothing of it is left, or ctx
	// has ended.
	Close(ctx context.Context)
}
