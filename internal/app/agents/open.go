package agents

import (
	"cmp"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/idle"
	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/bridge/source/relay"
)

// A Request is the agent that a command line requests. Empty fields leave the entry
// unchanged.
type Request struct {
	Name    string
	Command []string
	URL     string
	Headers []string // "NAME: VALUE", as in a configuration
	// TokenFile is a file with the token for the server.
	TokenFile string
	Dialect   string
	// Tap, if not nil, is called with each line of an AG-UI server's streams.
	Tap func(line []byte)
}

// A Choice is an agent and the user's settings for its tools.
type Choice struct {
	Agent agent.Agent    // nil if the agent is relayed
	Tools toolview.Table // how to show the agent's tools
	// Key identifies the agent: agents with different keys don't share sessions. It is
	// used in file names, and contains no arguments, which may be secret.
	Key string
	// Relayed is how to run an agent that speaks ACP itself, so that editors receive all
	// of its messages. It is nil for other agents.
	Relayed *relay.Agent
	// Given is set if the command line contained the agent's command.
	Given bool
}

// Title returns the agent's name for users, from what is known before it starts: its own,
// else the configured one, else the program's.
func (c *Choice) Title() string {
	if c.Relayed != nil {
		return c.Relayed.Name
	}
	info := c.Agent.Info()
	return cmp.Or(info.Title, info.Name)
}

// Open creates the requested agent. It starts nothing.
func (c *Catalogue) Open(r Request) (Choice, error) {
	e, err := c.find(r.Name)
	if err != nil {
		return Choice{}, err
	}
	if err := r.apply(&e); err != nil {
		return Choice{}, err
	}
	a := e.Config
	choice := Choice{Tools: table(a.Tools), Key: Key(e.Name, r.URL, r.Command)}
	if isRelayed(a.Type) {
		if choice.Relayed, err = relayed(&e); err != nil {
			return Choice{}, err
		}
		choice.Given = len(r.Command) > 0
		f := Misuse(r.Command)
		choice.Relayed.Command = choice.Given && (f == nil || f.Rule != lint.SpeaksACP)
		return choice, nil
	}
	build := builderOf(a.Type)
	if build == nil {
		return Choice{}, fmt.Errorf("agents of the type %s have no driver", a.Type)
	}
	made, err := build(&e)
	if err != nil {
		return Choice{}, err
	}
	limits := idle.Limits{Start: time.Duration(a.StartTimeout), Idle: time.Duration(a.IdleTimeout)}
	if isServer(a.Type) {
		limits = idle.Limits{} // the server's client has its own limits, and handles heartbeats
	}
	choice.Agent = idle.New(made, limits)
	return choice, nil
}

// Dialect returns the name of an agent's dialect, for reading recordings of it. It is
// "auto" if unknown.
func (c *Catalogue) Dialect(name string) (string, error) {
	e, err := c.find(name)
	if err != nil {
		return "", err
	}
	switch e.Config.Type {
	case config.TypeProcess:
		if e.Config.Dialect != "" {
			return e.Config.Dialect, nil
		}
		return "auto", nil
	case config.TypeEthosWeb:
		return config.TypeEthos, nil
	case config.TypeACPRemote:
		return config.TypeACP, nil
	case Workspace:
		return "native", nil
	}
	return e.Config.Type, nil
}

// apply overrides the entry with the values from the command line.
func (r *Request) apply(e *Entry) error {
	a := &e.Config
	e.tap = r.Tap
	if e.Known != nil && len(r.Command) > 0 {
		a.Type = typeOf(e.Known.Like(r.Command[0]))
		e.Known = nil // its own program is not used
	}
	if a.Type == config.TypeEthos && r.URL != "" {
		a.Type, a.Command, a.Args, a.Env = config.TypeEthosWeb, "", nil, nil
	}
	if a.Type == config.TypeACP && r.URL != "" && len(r.Command) == 0 {
		a.Type, a.Command, a.Args, a.Env, a.Registry = config.TypeACPRemote, "", nil, nil, config.Origin{}
	}
	switch {
	case len(r.Command) > 0 && !isProgram(a.Type):
		return usagef("the agent %s is not a program: remove the command after --", e.Name)
	case r.URL != "" && !isServer(a.Type):
		return usagef("the agent %s is not a server: remove --url", e.Name)
	case len(r.Headers) > 0 && !isServer(a.Type):
		return usagef("the agent %s is not a server: remove --header", e.Name)
	case r.TokenFile != "" && a.Type != config.TypeACPRemote:
		return usagef("the agent %s does not support --token-file, which is for agents that speak ACP at a --url", e.Name)
	case r.Dialect != "" && a.Type != config.TypeProcess:
		return usagef("the agent %s has its own dialect: remove --dialect", e.Name)
	case isServer(a.Type) && a.URL == "" && r.URL == "":
		return usagef("the agent %s needs --url, the address of its server", e.Name)
	case a.Type == config.TypeACP && a.Command == "" && len(r.Command) == 0:
		return usagef("the agent %s needs a command after --, such as --agent %s -- gemini --acp, or --url, the address of its server", e.Name, e.Name)
	}
	if len(r.Command) > 0 {
		a.Command, a.Args = r.Command[0], r.Command[1:]
		if a.Args == nil {
			a.Args = []string{}
		}
	}
	if r.URL != "" {
		if err := checkURL(a.Type, r.URL); err != nil {
			return usagef("--url: %v", err)
		}
		a.URL = r.URL
	}
	if err := r.takeToken(a); err != nil {
		return err
	}
	if r.Dialect != "" {
		a.Dialect = r.Dialect
	}
	return r.addHeaders(a)
}

// checkURL validates a URL from the command line.
func checkURL(kind, url string) error {
	if kind == config.TypeACPRemote {
		return config.CheckURL(kind, url)
	}
	probe, err := httpsse.New(httpsse.Config{BaseURL: url})
	if err != nil {
		return err
	}
	probe.Close()
	return nil
}

func (r *Request) addHeaders(a *config.Agent) error {
	if len(r.Headers) == 0 {
		return nil
	}
	headers := maps.Clone(a.Headers)
	if headers == nil {
		headers = make(map[string]config.Secret)
	}
	for _, h := range r.Headers {
		name, value, ok := strings.Cut(h, ":")
		if name = strings.TrimSpace(name); !ok || !config.IsHeader(name) {
			return usagef("--header needs NAME: VALUE")
		}
		maps.DeleteFunc(headers, func(other string, _ config.Secret) bool { return strings.EqualFold(other, name) })
		headers[name] = config.Secret(strings.TrimSpace(value))
	}
	a.Headers = headers
	return nil
}

func table(tools map[string]config.Tool) toolview.Table {
	var t toolview.Table
	for name, tool := range tools {
		t = append(t, toolview.Tool{Name: name, Kind: tool.Kind, Verb: tool.Verb, Subject: tool.Subject, Path: tool.Path})
	}
	return t
}
