package bridge

import (
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// frames builds the frame of each message or thought of a session only once. It
// has two frames that alternate, because a message must not be joined to the
// previous one: when a frame is reused, a line with the other one has been
// written in between.
type frames struct {
	chunks    [2]protocol.Chunk
	current   int
	messageID string
}

// of returns the frame of a message. It is valid until the call after the next
// one.
func (f *frames) of(sessionID string, kind v1.ChunkKind, messageID string) *protocol.Chunk {
	c := &f.chunks[f.current]
	if c.Suffix != "" && f.messageID == messageID {
		return c
	}
	f.current, f.messageID = 1-f.current, messageID
	c = &f.chunks[f.current]
	c.Prefix = v1.AppendChunkHead(c.Prefix[:0], sessionID, kind, messageID)
	c.Suffix, c.MaxText = v1.ChunkTail, normalize.MaxText
	return c
}
