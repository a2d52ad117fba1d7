package conversation

import (
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// NewDecoder returns a decoder that calls add with each line before it emits the line's
// events. A conversation that is built from what the decoder reads can't differ from what the
// user sees. If add returns false, the line has no other events.
func NewDecoder[S any](t dialect.Table[S], state *S, add func(l *dialect.Line) bool) dialect.Decoder {
	t.Before, t.EachLine = func(_ *S, l *dialect.Line) bool { return add(l) }, true
	return t.Compile().Decoder(state)
}

// Piece returns the text in a member, or nil if it is something else. It may begin or end
// with half of a character. It is valid as long as the line is.
func Piece(l *dialect.Line, name string) rawjson.String {
	if !l.IsString(name) {
		return nil
	}
	return rawjson.Body(l.Piece(name))
}
