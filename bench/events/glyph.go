package events

import "math/rand/v2"

// A glyph is one character: as a program may write it inside a JSON string,
// and what it means.
type glyph struct{ json, text string }

// letters stand for what makes most of a model's text.
const letters = "etaoin shrdlu cmfwyp vbgkjqxz etaoin ETAOIN 0123456789 .,;:()[]{}=+-*/"

var newline = glyph{`\n`, "\n"}

// escapes are what source code has most of. rare are the characters that a
// bridge must take care of beside them: escapes that it may copy or rewrite,
// and text of two, three and four bytes.
var (
	escapes = []glyph{newline, newline, newline, {`\"`, `"`}, {`\"`, `"`}, {`\t`, "\t"}, {`\t`, "\t"}, {`\\`, `\`}}
	rare    = []glyph{{`\u00e9`, "é"}, {`\u2014`, "—"}, {`\ud83d\ude80`, "🚀"}, {"ü", "ü"}, {"日", "日"}, {"本", "本"}, {"…", "…"}, {"🙂", "🙂"}}
)

// pick returns a character: one in 16 is an escape that source code is full
// of, one in 48 a rare one.
func pick(r *rand.Rand) glyph {
	switch n := r.IntN(48); {
	case n == 0:
		return rare[r.IntN(len(rare))]
	case n <= 3:
		return escapes[r.IntN(len(escapes))]
	}
	i := r.IntN(len(letters))
	return glyph{letters[i : i+1], letters[i : i+1]}
}
