package terminal

import (
	"errors"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/protocol"
)

// authMethod is ACP's AuthMethod.
type authMethod struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Type        string   `json:"type"`
	Args        []string `json:"args"`
}

// withLogin adds the agent's login methods to an error that says a login is required.
func (g *initializeResult) withLogin(err error) error {
	answer, ok := errors.AsType[*AgentError](err)
	if !ok || answer.Code != protocol.CodeAuthRequired {
		return err
	}
	var b strings.Builder
	for _, m := range g.AuthMethods {
		name := m.Name
		if name == "" {
			name = m.ID
		}
		fmt.Fprintf(&b, "\n  %s", cleanLine(name))
		if m.Description != "" {
			fmt.Fprintf(&b, ": %s", cleanLine(m.Description))
		}
		if m.Type == "terminal" {
			fmt.Fprintf(&b, " (run the agent's command in a terminal with %s)", cleanLine(strings.Join(m.Args, " ")))
		}
	}
	if b.Len() == 0 {
		return fmt.Errorf("%w; the agent does not say how to log in: see its documentation", err)
	}
	return fmt.Errorf("%w; log in first:%s", err, b.String())
}
