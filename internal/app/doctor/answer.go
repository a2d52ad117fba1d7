package doctor

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// maxShown bounds the part of an answer that is shown, in characters.
const maxShown = 60

// An answer holds the beginning of what an agent says.
type answer struct {
	text    strings.Builder
	message string
}

func (a *answer) add(e *agent.TextDelta) {
	if a.text.Len() > 4*maxShown {
		return
	}
	if e.MessageID != a.message {
		a.message = e.MessageID
		a.text.WriteByte('\n')
	}
	a.text.WriteString(e.Text.String())
}

// short returns the beginning of the answer in one line.
func (a *answer) short() string {
	text := strings.Join(strings.Fields(a.text.String()), " ")
	if runes := []rune(text); len(runes) > maxShown {
		return string(runes[:maxShown-1]) + "…"
	}
	return text
}
