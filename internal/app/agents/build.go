package agents

import (
	"cmp"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agentao"
	"github.com/turnwire/turnwire/internal/agent/agentb"
	"github.com/turnwire/turnwire/internal/agent/agui"
	"github.com/turnwire/turnwire/internal/agent/agui/thread"
	"github.com/turnwire/turnwire/internal/agent/aisdk"
	"github.com/turnwire/turnwire/internal/agent/awaken"
	"github.com/turnwire/turnwire/internal/agent/claude"
	"github.com/turnwire/turnwire/internal/agent/claude/control"
	"github.com/turnwire/turnwire/internal/agent/dialects"
	"github.com/turnwire/turnwire/internal/agent/ethos"
	"github.com/turnwire/turnwire/internal/agent/tools"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
	embedded "github.com/turnwire/turnwire/internal/agent/workspace"
	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/bridge/source/relay"
	"github.com/turnwire/turnwire/internal/bridge/source/relay/quirks"
)

// A builder creates the agent of an entry.
type builder func(e *Entry) (agent.Agent, error)

// builderOf returns the builder for a type. It returns nil for a type without a driver,
// such as agents that speak ACP themselves, which are relayed. To add a driver, add a
// case here and the type to [config.Types].
func builderOf(kind string) builder {
	switch kind {
	case Workspace:
		return func(*Entry) (agent.Agent, error) { return embedded.New(), nil }
	case config.TypeProcess:
		return program(func(e *Entry, args, env []string) agent.Agent {
			d, ok := dialects.Named(e.Config.Dialect)
			if !ok {
				d = dialects.AutoDriven()
			}
			return NewProgram(process.Config{
				Args: args, Env: env, Dialect: d, Title: e.displayName(),
				Greets: true, GreetTimeout: time.Duration(e.Config.GreetTimeout), Takes: e.Config.Prompt, Memory: Remembering(args), Misuse: Misuse(args),
			})
		})
	case config.TypeClaude:
		return program(func(_ *Entry, args, env []string) agent.Agent {
			return claude.New(process.Config{Args: args, Env: env})
		})
	case config.TypeEthos:
		return program(func(e *Entry, args, env []string) agent.Agent {
			return ethos.NewACP(ethos.ACPConfig{Args: args, Env: env, Personality: e.Config.Personality})
		})
	case config.TypeEthosWeb:
		return atServer(func(a *config.Agent, r httpsse.Config) agent.Agent {
			return ethos.NewWeb(ethos.WebConfig{Remote: r, Personality: a.Personality})
		})
	case config.TypeAgentao:
		return program(func(_ *Entry, args, env []string) agent.Agent {
			return agentao.New(agentao.Config{Python: args[0], Args: args[1:], Env: env})
		})
	case config.TypeAwaken:
		return atServer(func(a *config.Agent, r httpsse.Config) agent.Agent {
			return awaken.New(awaken.Config{Remote: r, AgentID: a.AgentID})
		})
	case config.TypeAISDK:
		return func(e *Entry) (agent.Agent, error) {
			r, err := server(&e.Config)
			return aisdk.New(aisdk.Config{Title: e.displayName(), Remote: r}), err
		}
	case config.TypeAgentB:
		return atServer(func(a *config.Agent, r httpsse.Config) agent.Agent {
			return agentb.New(agentb.Config{Remote: r, Path: a.Path, ToolOutputs: a.ToolOutputs, CancelPath: a.CancelPath})
		})
	case config.TypeAGUI:
		return newAGUI
	}
	return nil
}

// newAGUI creates the agent of an AG-UI server.
func newAGUI(e *Entry) (agent.Agent, error) {
	r, err := server(&e.Config)
	if err != nil {
		return nil, err
	}
	c := agui.Config{Title: e.displayName(), Remote: r, ForwardedProps: e.Config.Forwarded, Tap: e.tap}
	for _, one := range e.Config.Context {
		c.Context = append(c.Context, thread.Context(one))
	}
	if c.Tools, err = offered(&e.Config); err != nil {
		return nil, err
	}
	return agui.New(c), nil
}

// offered returns the tools that an agent may use.
func offered(a *config.Agent) ([]agent.OfferedTool, error) {
	if slices.Contains(a.OfferTools, config.AllTools) {
		return tools.All(), nil
	}
	list, err := tools.Named(a.OfferTools)
	if err != nil {
		return nil, a.Errorf("offerTools", "%w", err)
	}
	return list, nil
}

// NewProgram returns an agent that runs a command, and talks to it as its dialect
// requires.
func NewProgram(c process.Config) agent.Agent {
	if c.Dialect.Name == control.Dialect.Name {
		return claude.NewAny(process.Config{Args: c.Args, Env: c.Env})
	}
	return process.New(c)
}

// isRelayed reports whether agents of a type speak ACP.
func isRelayed(kind string) bool {
	switch kind {
	case config.TypeACP, config.TypeACPRemote, config.TypeGlue:
		return true
	}
	return false
}

// quirksOf returns the deviations of a type from the protocol, or nil.
func quirksOf(kind string) *quirks.Table {
	if kind == config.TypeGlue {
		return quirks.Glue()
	}
	return nil
}

// displayName returns the name of an agent that doesn't name itself. It is "" for a
// built-in entry that runs any program, because the program then gives the name.
func (e *Entry) displayName() string {
	switch {
	case e.Config.File() != "":
		return cmp.Or(e.Title, e.Name)
	case e.Config.Type == config.TypeGlue, e.Known != nil:
		return e.Title
	}
	return ""
}

// relayed describes how to reach an agent that speaks ACP.
func relayed(e *Entry) (*relay.Agent, error) {
	if e.Config.Type == config.TypeACPRemote {
		return relayedServer(e)
	}
	env, err := environment(&e.Config)
	if err != nil {
		return nil, err
	}
	args := commandLine(&e.Config)
	name := e.displayName()
	if name == "" {
		name = filepath.Base(args[0])
	}
	var missing string
	if e.Known != nil {
		missing = e.Known.Missing()
	}
	return &relay.Agent{
		Name: name, Args: args, Env: env, Missing: missing, Quirks: quirksOf(e.Config.Type).With(table(e.Config.Tools)),
		StartTimeout: time.Duration(e.Config.StartTimeout), IdleTimeout: time.Duration(e.Config.IdleTimeout),
	}, nil
}

func relayedServer(e *Entry) (*relay.Agent, error) {
	header, err := endpoint(&e.Config)
	if err != nil {
		return nil, err
	}
	name := e.displayName()
	if u, err := url.Parse(e.Config.URL); name == "" && err == nil {
		name = u.Host
	}
	return &relay.Agent{
		Name: name, URL: e.Config.URL, Header: header,
		StartTimeout: time.Duration(e.Config.StartTimeout), IdleTimeout: time.Duration(e.Config.IdleTimeout),
	}, nil
}

// program returns a builder for agents that are programs, which need a command and an
// environment.
func program(build func(e *Entry, args, env []string) agent.Agent) builder {
	return func(e *Entry) (agent.Agent, error) {
		env, err := environment(&e.Config)
		if err != nil {
			return nil, err
		}
		return build(e, commandLine(&e.Config), env), nil
	}
}

// atServer returns a builder for agents that are servers, which need an address.
func atServer(build func(a *config.Agent, r httpsse.Config) agent.Agent) builder {
	return func(e *Entry) (agent.Agent, error) {
		r, err := server(&e.Config)
		if err != nil {
			return nil, err
		}
		return build(&e.Config, r), nil
	}
}

// isServer reports whether agents of a type are servers.
func isServer(kind string) bool {
	switch kind {
	case config.TypeACPRemote, config.TypeEthosWeb, config.TypeAwaken, config.TypeAgentB, config.TypeAGUI, config.TypeAISDK:
		return true
	}
	return false
}

// isProgram reports whether agents of a type are programs.
func isProgram(kind string) bool { return !isServer(kind) && kind != Workspace }
