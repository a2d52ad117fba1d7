package agents

import (
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/acp"
	"github.com/turnwire/turnwire/agent/agentao"
	"github.com/turnwire/turnwire/agent/agentb"
	"github.com/turnwire/turnwire/agent/awaken"
	"github.com/turnwire/turnwire/agent/dialects"
	"github.com/turnwire/turnwire/agent/ethos"
	"github.com/turnwire/turnwire/agent/process"
	"github.com/turnwire/turnwire/agent/remote"
	embedded "github.com/turnwire/turnwire/agent/workspace"
	"github.com/turnwire/turnwire/internal/config"
)

// A builder makes the agent of an entry. To add a driver is to add one here,
// and its type to [config.Types].
type builder func(e *Entry) (agent.Agent, error)

var builders = map[string]builder{
	workspace: func(*Entry) (agent.Agent, error) { return embedded.New(), nil },
	config.TypeProcess: program(func(e *Entry, args, env []string) agent.Agent {
		d, ok := dialects.Named(e.Config.Dialect)
		if !ok {
			d = dialects.Auto()
		}
		return process.New(process.Config{Args: args, Env: env, Dialect: d, Title: e.Title})
	}),
	config.TypeACP: program(func(e *Entry, args, env []string) agent.Agent {
		// The one that is built in has the name of whatever it runs.
		name := e.Title
		if e.Config.File() == "" {
			name = ""
		}
		return acp.New(acp.Config{Name: name, Args: args, Env: env, StartTimeout: time.Duration(e.Config.StartTimeout)})
	}),
	config.TypeGlue: program(func(e *Entry, args, env []string) agent.Agent {
		return acp.NewGlue(acp.Config{Args: args, Env: env, StartTimeout: time.Duration(e.Config.StartTimeout)})
	}),
	config.TypeEthos: program(func(e *Entry, args, env []string) agent.Agent {
		return ethos.NewACP(ethos.ACPConfig{Args: args, Env: env, Personality: e.Config.Personality})
	}),
	config.TypeEthosWeb: atServer(func(a *config.Agent, r remote.Config) agent.Agent {
		return ethos.NewWeb(ethos.WebConfig{Remote: r, Personality: a.Personality})
	}),
	config.TypeAgentao: program(func(_ *Entry, args, env []string) agent.Agent {
		return agentao.New(agentao.Config{Python: args[0], Args: args[1:], Env: env})
	}),
	config.TypeAwaken: atServer(func(a *config.Agent, r remote.Config) agent.Agent {
		return awaken.New(awaken.Config{Remote: r, AgentID: a.AgentID})
	}),
	config.TypeAgentB: atServer(func(a *config.Agent, r remote.Config) agent.Agent {
		return agentb.New(agentb.Config{Remote: r, Path: a.Path, ToolOutputs: a.ToolOutputs, CancelPath: a.CancelPath})
	}),
}

// program makes a builder of one that needs a command and its environment.
func program(build func(e *Entry, args, env []string) agent.Agent) builder {
	return func(e *Entry) (agent.Agent, error) {
		env, err := environment(&e.Config)
		if err != nil {
			return nil, err
		}
		return build(e, words(&e.Config), env), nil
	}
}

// atServer makes a builder of one that needs to know where a server is.
func atServer(build func(a *config.Agent, r remote.Config) agent.Agent) builder {
	return func(e *Entry) (agent.Agent, error) {
		r, err := server(&e.Config)
		if err != nil {
			return nil, err
		}
		return build(&e.Config, r), nil
	}
}

// isServer tells whether agents of a type are servers.
func isServer(kind string) bool {
	switch kind {
	case config.TypeEthosWeb, config.TypeAwaken, config.TypeAgentB:
		return true
	}
	return false
}

// isProgram tells whether agents of a type are programs.
func isProgram(kind string) bool { return !isServer(kind) && kind != workspace }
