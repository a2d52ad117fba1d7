package events

import "math/rand/v2"

// A glyph is one character: as a program may write it inside a JSON string,
// and what it means.
type glyph struct{ json, text string }

// letters stand for what makes most of a model's text.
const letters = "etaoin shrdlu cmfwyp vbgkjqxz etaoin ETAOIN 0123456789 .,;:()[]{}=+-*/"

// rare are the characters that a bridge must take care of: escapes, which it
// may copy or rewrite, and text of two, three and four bytes.
var rare = []glyph{
	{`\n`, "\n"},
	{`\n`, "\n"},
	{`\t`, "\t"},
	{`\"`, `"`},
	{`\\`, `\`},
	{`\u00e9`, "é"},
	{`\u2014`, "—"},
	{`\ud83d\ude80`, "🚀"},
	{"ü", "ü"},
	{"日", "日"},
	{"本", "本"},
	{"…", "…"},
	{"🙂", "🙂"},
}

// pick returns a character: one in twelve is a rare one.
func pick(r *rand.Rand) glyph {
	if r.IntN(12) == 0 {
		return rare[r.IntN(len(rare))]
	}
	i := r.IntN(len(letters))
	return glyph{letters[i : i+1], letters[i : i+1]}
}
