package agent

import (
	"context"
	"log/slog"
)

// A Preparer is an [Agent] that may have to run before its first session, because
// its capabilities are not known yet.
type Preparer interface {
	// Prepare starts the agent in this process's working directory, unless Info
	// already lists all capabilities. The channel is closed when Info does, or
	// after a short timeout. Only the first call has an effect. If the agent can't
	// be started, its first session returns the error.
	//
	// The first session uses the prepared agent if it is in the same directory.
	// Otherwise, the prepared agent is stopped.
	Prepare(log *slog.Logger) <-chan struct{}
	// Dismiss stops a prepared agent that serves no session, and prevents further
	// preparation. It returns when the agent is gone, or soon after ctx ends.
	Dismiss(ctx context.Context)
}
