package wire

import "github.com/turnwire/turnwire/internal/rawjson"

// framed is an event type that a stream contains thousands of times, differing
// only in the text. Each line is compared with the last one that was parsed.
type framed[E any] struct {
	frame rawjson.Frame
	whole E // the event that the frame was learned from
	now   E // the yielded event, which the receiver may change
}

// learn remembers e as the event of line, whose text is at line[from:to].
func (f *framed[E]) learn(line []byte, from, to int, e E) {
	f.frame.Learn(line, rawjson.Span{From: from, To: to})
	f.whole, f.now = e, e
}

// names interns ids that recur, so that only the first use allocates.
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
