package acp

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// Chunks implements [core.View]. This is the hot path.
func (c *client) Chunks(f *core.Frame, text []byte, ends []int) error {
	return c.stream.AppendChunks(&f.Chunk, text, ends)
}

// Update implements [core.View].
func (c *client) Update(id string, u v1.Update, at v1.Times) error {
	return c.stream.Append(func(dst []byte) []byte {
		return at.AppendTo(v1.AppendNotification(dst, id, u))
	})
}

// Relay implements [core.View].
func (c *client) Relay(n core.Notification) error {
	return c.stream.AppendUnless(n.Gate, timed(n))
}

// Send implements [core.View].
func (c *client) Send(n core.Notification) { c.send(timed(n)) }

// timed returns a notification's line, with its time if the client should see it. It
// does not modify the line, which may be shared with other clients.
func timed(n core.Notification) []byte {
	if n.At == (v1.Times{}) {
		return n.Line
	}
	return n.At.AppendTo(bytes.Clone(n.Line))
}

func (c *client) send(line []byte) {
	if err := c.stream.Send(line); err != nil {
		c.log.Debug("a line could not be sent", "error", err)
	}
}

// AwaitRoom implements [core.View].
func (c *client) AwaitRoom() { c.stream.AwaitRoom() }

// Flush implements [core.View].
func (c *client) Flush() { c.stream.Flush() }
