package agent

import (
	"context"
	"log/slog"
)

// A Preparer is an [Agent] that may have to be started before it has a session:
// nobody knows yet what Info has to say.
type Preparer interface {
	// Prepare starts the agent in the working directory of this process, unless
	// Info has all that it can. The channel is closed when it has, or when that is
	// not waited for any more, which does not take long. Only the first call has an
	// effect. That the agent cannot be started is the error of its first session.
	//
	// The first session is served by what was started if it is one in that
	// directory. If not, that is ended.
	Prepare(log *slog.Logger) <-chan struct{}
	// Dismiss ends what was started and serves no session. It returns when nothing
	// of it is left, or soon after ctx ends; nothing is prepared from then on.
	Dismiss(ctx context.Context)
}
