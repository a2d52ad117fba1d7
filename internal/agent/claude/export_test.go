package claude

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
)

// NewStarted returns an agent whose processes are started by start.
func NewStarted(c Config, start func(child.Spec) (process.Child, error)) agent.Agent {
	c.start = start
	return New(c)
}
