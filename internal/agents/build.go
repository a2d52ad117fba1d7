package agents

import (
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/agentb"
	"github.com/turnwire/turnwire/agent/dialects"
	"github.com/turnwire/turnwire/agent/process"
	ws "github.com/turnwire/turnwire/agent/workspace"
	"github.com/turnwire/turnwire/internal/config"
)

// builders make agents of entries, by type. This is the one place to add a
// driver, besides [config.Types].
var builders = map[string]func(e *Entry) (agent.Agent, error){
	workspace:          func(*Entry) (agent.Agent, error) { return ws.New(), nil },
	config.TypeProcess: newProcess,
	config.TypeAgentB:  newAgentB,
}

// remote tells whether agents of a type are servers.
func remote(kind string) bool {
	switch kind {
	case config.TypeEthosWeb, config.TypeAwaken, config.TypeAgentB:
		return true
	}
	return false
}

// command tells whether agents of a type are programs.
func command(kind string) bool { return !remote(kind) && kind != workspace }

func newProcess(e *Entry) (agent.Agent, error) {
	env, err := environment(&e.Config)
	if err != nil {
		return nil, err
	}
	d, ok := dialects.Named(e.Config.Dialect)
	if !ok {
		d = dialects.Auto()
	}
	return process.New(process.Config{Args: words(&e.Config), Env: env, Dialect: d, Title: e.Title}), nil
}

func newAgentB(e *Entry) (agent.Agent, error) {
	r, err := server(&e.Config)
	if err != nil {
		return nil, err
	}
	a := e.Config
	return agentb.New(agentb.Config{Remote: r, Path: a.Path, ToolOutputs: a.ToolOutputs, CancelPath: a.CancelPath}), nil
}

func startTimeout(a *config.Agent) time.Duration { return time.Duration(a.StartTimeout) }
