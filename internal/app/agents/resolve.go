package agents

import (
	"cmp"

	"github.com/turnwire/turnwire/internal/app/agents/known"
	"github.com/turnwire/turnwire/internal/app/config"
)

// resolve sets the configuration of a known agent: that of its first command whose
// program is in PATH, or of its preferred one. It reports whether the program is there.
func (e *Entry) resolve() (installed bool) {
	if e.Known == nil {
		return true
	}
	c, installed := e.Known.Find()
	e.Config = config.Agent{Type: typeOf(c), Command: c.Args[0], Args: c.Args[1:]}
	return installed
}

// typeOf returns the type of agents that a command starts.
func typeOf(c known.Command) string { return cmp.Or(c.Type, config.TypeACP) }

// Installed reports whether the program of a known agent is in PATH. It is true for other
// agents, whose programs are not checked.
func (e *Entry) Installed() bool { return e.resolve() }
