// Package claude runs Claude Code, by the command that the user has installed, with its
// login. Package control translates between it and package agent.
//
// Claude Code saves its conversations itself. Its id of the session is the session's
// state, and a new process resumes it.
package claude

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/claude/control"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// Config says how to run Claude Code.
type Config struct {
	// Args is the command and its arguments. The default is claude.
	Args []string
	// Env is the whole environment. If it is nil, this process's is used.
	Env []string
	// Any means that Args may be another command that prints stream-json. Then nothing
	// is added to it, unless it has Claude Code's flag --output-format.
	Any bool

	start func(child.Spec) (process.Child, error) // nil except in tests
}

// flags make Claude Code a program for hosts. AskUserQuestion needs a terminal.
var flags = [][]string{
	{"--print"}, {"--verbose"}, {"--include-partial-messages"},
	{"--input-format", "stream-json"}, {"--output-format", "stream-json"},
	{"--permission-prompt-tool", "stdio"}, {"--disallowedTools", "AskUserQuestion"},
}

// greetTimeout is how long a new session waits for Claude Code's modes and models.
const greetTimeout = 5 * time.Second

type driver struct{ config Config }

// New returns an agent that runs a process for each of its sessions.
func New(c Config) agent.Agent {
	if len(c.Args) == 0 {
		c.Args = []string{"claude"}
	}
	return driver{c}
}

// Info implements [agent.Agent].
func (driver) Info() agent.Info {
	return agent.Info{
		Name: "claude", Title: "Claude Code", Image: true, Resume: true, Fork: true,
		MCP: &agent.MCPTakes{HTTP: true, SSE: true}, System: &agent.SystemPromptTakes{Replace: true},
	}
}

// Open implements [agent.Agent].
func (d driver) Open(ctx context.Context, o agent.Options) (agent.Session, error) {
	host := new(control.Host)
	c := process.Config{
		Args: d.config.Args, Env: d.config.Env, Title: "Claude Code", Dialect: host.Dialect(), Greets: true,
		Missing:  "install Claude Code, or set the agent's command in the settings",
		Protocol: &protocol{host, d.config, o}, Start: d.config.start,
	}
	if !d.config.Any {
		c.GreetTimeout = greetTimeout
	}
	return process.New(c).Open(ctx, o)
}

// protocol implements [process.Protocol].
type protocol struct {
	*control.Host
	config  Config
	options agent.Options
}

// Args implements [process.Protocol].
func (p *protocol) Args(m agent.Memory) (args []string) {
	has := func(flag string) bool {
		return slices.ContainsFunc(p.config.Args, func(arg string) bool { return arg == flag || strings.HasPrefix(arg, flag+"=") })
	}
	if p.config.Any && !has("--output-format") {
		return nil
	}
	for _, flag := range flags {
		if !has(flag[0]) {
			args = append(args, flag...)
		}
	}
	for _, root := range p.options.Roots {
		args = append(args, "--add-dir", root)
	}
	id, own := p.Resume(m)
	if id == "" || id[0] == '-' { // not an id, but a flag
		return args
	}
	if args = append(args, "--resume", id); !own {
		args = append(args, "--fork-session")
	}
	return args
}

// FirstMessages implements [process.Protocol]. Secrets of MCP servers must not be arguments,
// which everybody can read.
func (p *protocol) FirstMessages() []any {
	initialize := map[string]any{"subtype": "initialize", "forwardSubagentText": true}
	if s := p.options.System; s != nil && s.Mode == "override" {
		initialize["systemPrompt"] = []string{s.Text}
	} else if s != nil {
		initialize["appendSystemPrompt"] = s.Text
	}
	messages := []any{control.Request("initialize", initialize)}
	servers := map[string]any{}
	for _, raw := range p.options.MCPServers {
		if name, server := mcpServer(raw); name != "" {
			servers[name] = server
		}
	}
	if len(servers) > 0 {
		messages = append(messages, control.Request("mcp", map[string]any{"subtype": "mcp_set_servers", "servers": servers}))
	}
	return messages
}

// A pair is a variable or a header.
type pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// mcpServer converts an editor's MCP server to an entry of Claude Code's configuration.
func mcpServer(raw agent.Raw) (name string, server map[string]any) {
	var s struct {
		Type    string   `json:"type"`
		Name    string   `json:"name"`
		Command string   `json:"command"`
		URL     string   `json:"url"`
		Args    []string `json:"args"`
		Env     []pair   `json:"env"`
		Headers []pair   `json:"headers"`
	}
	if exactjson.Unmarshal(raw, &s) != nil {
		return "", nil
	}
	pairs := map[string]string{}
	for _, p := range slices.Concat(s.Env, s.Headers) {
		pairs[p.Name] = p.Value
	}
	if s.URL != "" {
		return s.Name, map[string]any{"type": s.Type, "url": s.URL, "headers": pairs}
	}
	return s.Name, map[string]any{"type": "stdio", "command": s.Command, "args": s.Args, "env": pairs}
}
