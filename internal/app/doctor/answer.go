package doctor

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// maxShown bounds the part of an answer that is shown, in characters.
const maxShown = 60

// An answer holds the beginning of what an agent says.
type answer struct {
	text    []byte
	message string
	notice  string // the first warning that the user would see
}

// addNotice keeps the first warning.
func (a *answer) addNotice(e *agent.Notice) {
	if a.notice != "" || e.Severity != "warning" && e.Severity != "error" {
		return
	}
	a.notice = strings.TrimSpace(e.Message)
}

func (a *answer) add(e *agent.TextDelta) {
	if len(a.text) > 4*maxShown {
		return
	}
	if e.MessageID != a.message {
		a.message = e.MessageID
		a.text = append(a.text, '\n')
	}
	a.text = append(a.text, e.Text.String()...)
}

// short returns the beginning of the answer in one line.
func (a *answer) short() string {
	text := strings.Join(strings.Fields(string(a.text)), " ")
	if runes := []rune(text); len(runes) > maxShown {
		return string(runes[:maxShown-1]) + "…"
	}
	return text
}
