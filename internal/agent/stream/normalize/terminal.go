package normalize

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// maxTerminals bounds the terminals that are shown in one call.
const maxTerminals = 16

// Terminals lets calls show the editor's terminals. own returns why one is not
// shown: the editor has none, or it is not one that the session has made.
// Without own, no call shows any.
func (t *Normalizer) Terminals(own func(id string) error) { t.terminal = own }

// addTerminal adds a terminal to those that are shown in a call, and reports
// whether it did. The user is told once a session that there is one that cannot
// be shown.
func (t *Normalizer) addTerminal(tool *Tool, id string) (added bool) {
	if id == "" || slices.Contains(tool.Terminals, id) || len(tool.Terminals) == maxTerminals {
		return false
	}
	if t.terminal != nil {
		err := t.terminal(id)
		if err == nil {
			tool.Terminals = append(tool.Terminals, id)
			return true
		}
		if !t.toldTerminal {
			t.toldTerminal = true
			t.yieldApart(Step{Event: &agent.Notice{
				Severity: "warning", Message: "A tool call has a terminal that cannot be shown", Description: err.Error(),
			}})
		}
	}
	return false
}
