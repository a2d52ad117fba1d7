package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A stream is what the decoder remembers of its lines.
type stream struct {
	root     conversation
	current  *conversation     // of the event that is decoded
	children map[string]*child // by their paths
	rows     bool              // the stream is a conversation.jsonl
}

func newStream() *stream {
	s := &stream{}
	s.root.stream, s.current = s, &s.root
	return s
}

// unknown emits an event of an unknown type. One of a sub-agent makes its whole
// line telemetry.
func (s *stream) unknown(l *dialect.Line) {
	if s.current == &s.root {
		l.EmitUnknown()
	}
}

// said remembers what was streamed, however its line was decoded.
func (s *stream) said(text agent.Text) { s.root.streamed.add(rawjson.Body(text)) }

// end ends the last turn of a conversation.jsonl.
func (s *stream) end(l *dialect.Line) {
	if s.rows && s.root.running {
		s.root.done(l)
	}
}
