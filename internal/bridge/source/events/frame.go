package events

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// frames builds the frame of each message or thought of a session only once. It
// alternates between two frames, because a message must not be joined to the previous
// one. When a frame is reused, a line with the other frame was written in between.
type frames struct {
	chunks  [2]core.Frame
	current int
}

// of returns the frame of a message. It is valid until the second call after this one.
func (f *frames) of(sessionID string, kind v1.ChunkKind, messageID string) *core.Frame {
	c := &f.chunks[f.current]
	if c.Suffix != "" && c.Message == messageID {
		return c
	}
	f.current = 1 - f.current
	c = &f.chunks[f.current]
	c.Prefix = v1.AppendChunkHead(c.Prefix[:0], sessionID, kind, messageID)
	c.Suffix, c.MaxText = v1.ChunkTail, normalize.MaxText
	c.Session, c.Kind, c.Message = sessionID, kind, messageID
	c.Update = bytes.Index(c.Prefix, updateKey) + len(updateKey)
	return c
}

// updateKey precedes the update in a line that we build. It cannot occur inside a
// string, where its quotes would be escaped.
var updateKey = []byte(`"update":`)
