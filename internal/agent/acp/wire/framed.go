package wire

import "github.com/turnwire/turnwire/internal/rawjson"

// framed is an event of which a stream has thousands that differ in their text
// alone. Such a line is compared with the last that was taken apart.
type framed[E any] struct {
	frame rawjson.Frame
	whole E // what the frame was learned from
	now   E // what is handed over, and may be changed
}

// learn remembers e as what line says, whose text is at line[from:to].
func (f *framed[E]) learn(line []byte, from, to int, e E) {
	f.frame.Learn(line, rawjson.Span{From: from, To: to})
	f.whole, f.now = e, e
}

// names gives strings for ids that come again and again, so that only the
// first costs an allocation.
type names map[string]string

const (
	maxName  = 128
	maxNames = 256
)

func (n names) get(b []byte) string {
	if len(b) > maxName {
		return string(b)
	}
	if s, ok := n[string(b)]; ok {
		return s
	}
	if len(n) >= maxNames {
		clear(n)
	}
	s := string(b)
	n[s] = s
	return s
}
