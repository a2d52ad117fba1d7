// Package goldentext encodes texts for golden files. Invisible characters become visible
// signs, and a missing newline at the end is marked. Only tests need it.
package goldentext

import "strings"

var (
	show = strings.NewReplacer("\r", "␍", "\t", "→", "\ufeff", "␂")
	read = strings.NewReplacer("␍", "\r", "→", "\t", "␂", "\ufeff")
)

// end marks a text without a newline at its end. Files in an archive always end with one.
const end = "␄"

// Show encodes a text for a golden file.
func Show(text []byte) []byte {
	shown := show.Replace(string(text))
	if !strings.HasSuffix(shown, "\n") {
		shown += end + "\n"
	}
	return []byte(shown)
}

// Text decodes the text of a golden file.
func Text(shown []byte) []byte {
	text, _, _ := strings.Cut(string(shown), end)
	return []byte(read.Replace(text))
}
