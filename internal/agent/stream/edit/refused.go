package edit

import (
	"strings"
	"unicode/utf8"

	"github.com/turnwire/turnwire/internal/linediff"
)

// maxRefused limits how much of a refused change is shown, in bytes.
const maxRefused = 4000

// Refused shows an agent what the user refused of a change: the diff from the text that was
// written to the proposed one.
func Refused(written, proposed string) string {
	var b strings.Builder
	for _, hunk := range linediff.Compare(written, proposed) {
		b.WriteString("@@\n")
		for _, l := range hunk {
			b.WriteByte(" -+"[l.Kind])
			b.WriteString(strings.TrimSuffix(l.Text, "\n") + "\n")
		}
	}
	diff := b.String()
	if len(diff) > maxRefused {
		cut := maxRefused
		for !utf8.RuneStart(diff[cut]) {
			cut--
		}
		diff = diff[:cut] + "…"
	}
	return diff
}
