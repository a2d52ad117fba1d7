package wire

import (
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// framed is an event of which a stream has thousands that differ in their text
// alone. Such a line is compared with the last that was decoded in full.
type framed[E any] struct {
	frame rawjson.Frame
	whole E // what the frame was learned from
	now   E // what is handed over, and may be changed
	body  rawjson.String

	pieces rawjson.Run // what was taken as one
}

// like tells whether line has the frame; then now is what it says, but for the
// text, which is in body.
func (f *framed[E]) like(line []byte) bool {
	body, ok := f.frame.Match(line)
	if ok {
		f.now, f.body = f.whole, body
	}
	return ok
}

// run takes the lines that text begins with as one, as long as they have the
// frame, and returns what is left of text. Then now is what they say, but for
// the text, which is in pieces.
func (f *framed[E]) run(text []byte) (rest []byte) {
	rest = f.frame.Run(&f.pieces, text, dialect.MaxJoined)
	f.now = f.whole
	return rest
}

// learn remembers now as what line says, whose text is at line[from:to].
func (f *framed[E]) learn(line []byte, from, to int) *E {
	f.frame.Learn(line, from, to)
	f.whole = f.now
	return &f.now
}
