package terminal

import (
	"context"
	"log/slog"

	"github.com/sourcegraph/jsonrpc2"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// Probe runs one turn over stream, whose other end is an ACP agent, and closes stream. It
// permits nothing, answers no question, and calls hear with each update. It returns the
// turn's stop reason, or the cause of ctx if ctx ends first. The error is [ErrClosed] if
// the connection ends without a response.
func Probe(ctx context.Context, stream jsonrpc2.ObjectStream, opts Options, hear func(v1.Update)) (v1.StopReason, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	c := newClient(ctx, stream, opts.Log)
	defer c.close()
	go c.runTurn(opts)
	for {
		select {
		case m := <-c.messages:
			switch m := m.(type) {
			case *updated:
				if m.update != nil {
					hear(m.update)
				}
			case *permissionAsked:
				c.answer(m.id, rejection(m.request.Options))
			case *questionAsked:
				c.answer(m.id, v1.ElicitationResponse{Action: v1.ElicitCancel})
			case *ended:
				return m.stop, m.err
			}
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}
