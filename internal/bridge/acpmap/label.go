package acpmap

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/visible"
)

// label returns text for a client to show in one line. It cannot control the client or
// imitate other text.
func label(s string) string { return normalize.Short(visible.Text(s)) }

// shownChoices returns the choices as shown in a form, where they are also the values.
func shownChoices(e *agent.QuestionAsked) []string {
	shown := make([]string, 0, len(e.Options))
	for _, choice := range e.Options {
		shown = append(shown, visible.Text(choice))
	}
	return shown
}

// Answers maps the values of a form back to the agent's own choices.
func Answers(e *agent.QuestionAsked, values []string) []string {
	shown := shownChoices(e)
	for i, value := range values {
		if at := slices.Index(shown, value); at >= 0 && !slices.Contains(e.Options, value) {
			values[i] = e.Options[at]
		}
	}
	return values
}
