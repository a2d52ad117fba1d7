package normalize

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// maxTerminals limits the terminals shown in one call.
const maxTerminals = 16

// Terminals lets calls show the editor's terminals. own returns an error if one
// can't be shown: the editor has no terminals, or the session did not create
// it. Without own, calls show no terminals.
func (t *Normalizer) Terminals(own func(id string) error) { t.terminal = own }

// addTerminal adds a terminal to those shown in a call, and reports whether it
// did. It tells the user about a terminal that can't be shown, once per
// session.
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
