// Package goldentext shows texts in golden files: what nobody sees there has a
// sign, and a text that does not end with a newline says so. Only tests need
// it.
package goldentext

import "strings"

var (
	show = strings.NewReplacer("\r", "␍", "\t", "→", "\ufeff", "␂")
	read = strings.NewReplacer("␍", "\r", "→", "\t", "␂", "\ufeff")
)

// end is behind a text that has no newline at its end. Files in an archive
// have one.
const end = "␄"

// Show returns a text as a golden file has it.
func Show(text []byte) []byte {
	shown := show.Replace(string(text))
	if !strings.HasSuffix(shown, "\n") {
		shown += end + "\n"
	}
	return []byte(shown)
}

// Text returns the text that a golden file shows.
func Text(shown []byte) []byte {
	text, _, _ := strings.Cut(string(shown), end)
	return []byte(read.Replace(text))
}
