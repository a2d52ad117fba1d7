package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A stream is the decoder's state.
type stream struct {
	root     conversation
	current  *conversation     // of the current event
	children map[string]*child // by path
	rows     bool              // the stream is a conversation.jsonl file
}

func newStream() *stream {
	s := &stream{}
	s.root.stream, s.current = s, &s.root
	return s
}

// unknown emits an event of an unknown type. In an event of a sub-agent, it
// emits nothing, so that the whole line becomes telemetry.
func (s *stream) unknown(l *dialect.Line) {
	if s.current == &s.root {
		l.EmitUnknown()
	}
}

// noteText records streamed text, however its line was decoded.
func (s *stream) noteText(text agent.Text) { s.root.streamed.add(rawjson.Body(text)) }

// end ends the last turn of a conversation.jsonl file.
func (s *stream) end(l *dialect.Line) {
	if s.rows && s.root.running {
		s.root.done(l)
	}
}
