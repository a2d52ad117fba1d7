package mapv1

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/visible"
)

// label is text that a client shows in a line of its own: nothing in it acts upon
// the client, or makes it look like another one.
func label(s string) string { return normalize.Short(visible.Text(s)) }

// shownChoices are the choices as a form shows them, where they are the values too.
func shownChoices(e *agent.QuestionAsked) []string {
	shown := make([]string, 0, len(e.Options))
	for _, choice := range e.Options {
		shown = append(shown, visible.Text(choice))
	}
	return shown
}

// Answers are the values of a form as the agent knows them: its own choices, not
// what is shown of them.
func Answers(e *agent.QuestionAsked, values []string) []string {
	shown := shownChoices(e)
	for i, value := range values {
		if at := slices.Index(shown, value); at >= 0 && !slices.Contains(e.Options, value) {
			values[i] = e.Options[at]
		}
	}
	return values
}
