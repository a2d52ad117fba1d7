// Package claude runs Claude Code, by the command that the user has installed, with its
// login. Package control translates between it and package agent.
//
// Claude Code saves its conversations itself. Its id of the session is the session's
// state, and a new process resumes it.
package claude

import (
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/claude/control"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
)

// flags make Claude Code a program for hosts. AskUserQuestion needs a terminal.
var flags = [][]string{
	{"--print"}, {"--verbose"}, {"--include-partial-messages"},
	{"--input-format", "stream-json"}, {"--output-format", "stream-json"},
	{"--permission-prompt-tool", "stdio"}, {"--disallowedTools", "AskUserQuestion"},
}

// greetTimeout is how long a new session waits for Claude Code's modes and models.
const greetTimeout = 5 * time.Second

// New returns an agent that runs Claude Code, in one process for each session. c says how
// to start it. The default command is claude.
func New(c process.Config) agent.Agent {
	if len(c.Args) == 0 {
		c.Args = []string{"claude"}
	}
	c.GreetTimeout = greetTimeout
	return run(c, true)
}

// NewAny is like New for a command that may be another one that prints stream-json. Then
// nothing is added to it, unless it has Claude Code's flag --output-format.
func NewAny(c process.Config) agent.Agent { return run(c, has(c.Args, "--output-format")) }

func run(c process.Config, isClaude bool) agent.Agent {
	c.Info = &agent.Info{
		Name: "claude", Title: "Claude Code", Image: true, Resume: true, Fork: true,
		MCP: &agent.MCPTakes{HTTP: true, SSE: true}, System: &agent.SystemPromptTakes{Replace: true},
	}
	c.Greets, c.Missing = true, "install Claude Code, or set the agent's command in the settings"
	command := c.Args
	c.Protocol = func(o agent.Options) process.Protocol {
		return &protocol{Host: &control.Host{Options: o, Partial: isClaude}, command: command, isClaude: isClaude}
	}
	return process.New(c)
}

// protocol implements [process.Protocol].
type protocol struct {
	*control.Host
	command  []string // the user's
	isClaude bool     // the command is Claude Code
}

// Args implements [process.Protocol].
func (p *protocol) Args(m agent.Memory) (args []string) {
	if !p.isClaude {
		return nil
	}
	for _, flag := range flags {
		if !has(p.command, flag[0]) {
			args = append(args, flag...)
		}
	}
	for _, root := range p.Options.Roots {
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

// has reports whether a command has a flag.
func has(command []string, flag string) bool {
	return slices.ContainsFunc(command, func(arg string) bool { return arg == flag || strings.HasPrefix(arg, flag+"=") })
}
