package events

import "math/rand/v2"

// A glyph is one character: its possible form inside a JSON string, and its meaning.
type glyph struct{ json, text string }

// letters are typical of most of a model's text.
const letters = "etaoin shrdlu cmfwyp vbgkjqxz etaoin ETAOIN 0123456789 .,;:()[]{}=+-*/"

var newline = glyph{`\n`, "\n"}

// escapes are the most frequent escapes in source code. rare are other characters that a
// bridge must handle correctly: escapes that it may copy or rewrite, and characters of
// two, three and four bytes.
var (
	escapes = []glyph{newline, newline, newline, {`\"`, `"`}, {`\"`, `"`}, {`\t`, "\t"}, {`\t`, "\t"}, {`\\`, `\`}}
	rare    = []glyph{{`\u00e9`, "é"}, {`\u2014`, "—"}, {`\ud83d\ude80`, "🚀"}, {"ü", "ü"}, {"日", "日"}, {"本", "本"}, {"…", "…"}, {"🙂", "🙂"}}
)

// pick returns a random character: one in 16 is a frequent escape, and one in 48 is rare.
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
