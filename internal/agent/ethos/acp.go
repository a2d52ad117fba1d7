package ethos

import (
	"context"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// ACPConfig says how to run `ethos acp`.
type ACPConfig struct {
	// Args is the command and its arguments. The default is ethos acp.
	Args []string
	// Env is the whole environment. If it is nil, this process's is used.
	Env []string
	// Personality is the id of the personality that answers. If it is empty,
	// Ethos chooses.
	Personality string
}

type acpAgent struct{ config ACPConfig }

// NewACP returns an agent that runs `ethos acp` for each of its sessions.
// Despite its name it does not speak the Agent Client Protocol.
func NewACP(c ACPConfig) agent.Agent {
	if len(c.Args) == 0 {
		c.Args = []string{"ethos", "acp"}
	}
	return &acpAgent{c}
}

// Info implements [agent.Agent].
func (a *acpAgent) Info() agent.Info { return agent.Info{Name: "ethos", Title: "Ethos", Resume: true} }

// Open implements [agent.Agent]. It starts nothing.
func (a *acpAgent) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	b := &acpBackend{config: a.config, cwd: o.Cwd, log: o.Log, key: o.Memory().Key()}
	b.reported, b.recalled = b.key, b.key != ""
	return lifecycle.NewSession(b, o), nil
}
