package doctor

import (
	"strings"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// maxShown limits how much of an answer is shown, in characters.
const maxShown = 60

// An answer holds the beginning of an agent's answer.
type answer struct {
	text    []byte
	message string
	notice  string // the notice to report: the first warning, or the first of all
	warned  bool   // it is a warning
}

// update reads an update. It reports whether notice has changed.
func (a *answer) update(u v1.Update) bool {
	switch u := u.(type) {
	case *v1.MessageChunk:
		if text, ok := u.Content.(*v1.TextBlock); ok && u.Kind == v1.AgentMessage {
			a.add(u.MessageID, text.Text.String())
		}
	case *v1.Notice:
		title, warns := strings.TrimSpace(u.Title), u.Severity == "warning" || u.Severity == "error"
		if title != "" && (a.notice == "" || warns && !a.warned) {
			a.notice, a.warned = title, warns
			return true
		}
	}
	return false
}

func (a *answer) add(message, text string) {
	if len(a.text) > 4*maxShown {
		return
	}
	if message != a.message {
		a.message = message
		a.text = append(a.text, '\n')
	}
	a.text = append(a.text, text...)
}

// short returns the beginning of the answer as one line.
func (a *answer) short() string {
	text := strings.Join(strings.Fields(string(a.text)), " ")
	if runes := []rune(text); len(runes) > maxShown {
		return string(runes[:maxShown-1]) + "…"
	}
	return text
}
