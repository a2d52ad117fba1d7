package doctor

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// maxSaid bounds what is shown of an answer, in characters.
const maxSaid = 60

// An answer is the beginning of what an agent says.
type answer struct {
	text    strings.Builder
	message string
}

func (a *answer) add(e *agent.TextDelta) {
	if a.text.Len() > 4*maxSaid {
		return
	}
	if e.MessageID != a.message {
		a.message = e.MessageID
		a.text.WriteByte('\n')
	}
	a.text.WriteString(e.Text.String())
}

// short is the beginning in one line.
func (a *answer) short() string {
	text := strings.Join(strings.Fields(a.text.String()), " ")
	if runes := []rune(text); len(runes) > maxSaid {
		return string(runes[:maxSaid-1]) + "…"
	}
	return text
}
