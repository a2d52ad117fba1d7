package bridge

import (
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// frames makes the frame of each message, or each thought, of a session once.
// Two take turns, for a message must not be joined to the one before: when a
// frame is used again, a line of the other one has come in between.
type frames struct {
	chunks    [2]protocol.Chunk
	now       int
	messageID string
}

// of is the frame of a message. It is valid until the next but one.
func (f *frames) of(sessionID string, kind v1.ChunkKind, messageID string) *protocol.Chunk {
	c := &f.chunks[f.now]
	if c.Suffix != "" && f.messageID == messageID {
		return c
	}
	f.now, f.messageID = 1-f.now, messageID
	c = &f.chunks[f.now]
	c.Prefix = v1.AppendChunkHead(c.Prefix[:0], sessionID, kind, messageID)
	c.Suffix, c.MaxText = v1.ChunkTail, normalize.MaxText
	return c
}
