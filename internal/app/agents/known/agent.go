package known

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

// An Agent is an agent that can be used by its name.
type Agent struct {
	Name  string // as in --agent NAME
	Title string
	// Commands start the agent, in order of preference: the first one whose program is
	// installed is used.
	Commands []Command
	// Own is the agent's own program if it doesn't speak ACP, so that Commands start an
	// adapter, which needs it.
	Own string
	// Registry is the agent's id in the ACP registry. It is "" if the agent isn't there.
	Registry string
	// Install is the command that installs the agent, or "see" and an address.
	Install string
	Tested  Tested
}

// A Command is a way to start an agent.
type Command struct {
	// Type is the agent's type in turnwire.json. "" is acp.
	Type string
	Args []string // the program and its arguments
}

// Tested is the newest version that ran in a test, and the date of that test. It is empty
// if none did.
type Tested struct{ Version, Date string }

// All returns the agents in the order in which they are shown.
func All() []Agent { return slices.Clone(all) }

// Named returns the agent with the given name.
func Named(name string) (Agent, bool) {
	i := slices.IndexFunc(all, func(a Agent) bool { return a.Name == name })
	if i < 0 {
		return Agent{}, false
	}
	return all[i], true
}

// Meant returns the name of the agent that has another name in the registry, or whose
// program has that name. It returns "" if there is no such agent.
func Meant(word string) string {
	for _, a := range all {
		if a.Registry != "" && a.Registry == word || slices.ContainsFunc(a.Commands, func(c Command) bool { return c.Args[0] == word }) {
			return a.Name
		}
	}
	return ""
}

// Find returns the first command whose program is in PATH. Otherwise, it returns the
// preferred command and false.
func (a *Agent) Find() (c Command, installed bool) {
	for _, c := range a.Commands {
		if _, err := child.Find(c.Args[0]); err == nil {
			return c, true
		}
	}
	return a.Commands[0], false
}

// Like returns the command whose program has the same name as the one at path. Otherwise,
// it returns the preferred command.
func (a *Agent) Like(path string) Command {
	name := strings.TrimSuffix(filepath.Base(path), ".exe")
	for _, c := range a.Commands {
		if c.Args[0] == name {
			return c
		}
	}
	return a.Commands[0]
}

// Programs returns the names of the programs of which one is needed.
func (a *Agent) Programs() []string {
	var names []string
	for _, c := range a.Commands {
		names = append(names, c.Args[0])
	}
	return names
}

// Lack says what is missing if the agent is not installed.
func (a *Agent) Lack() string {
	missing := strings.Join(a.Programs(), " or ") + " is not in PATH"
	if a.Own != "" {
		if _, err := child.Find(a.Own); err == nil {
			return a.Title + " needs an adapter, because " + a.Own + " doesn't speak the Agent Client Protocol (" + missing + ")"
		}
	}
	return a.Title + " is not installed (" + missing + ")"
}

// Missing says how to get the agent if it is not installed.
func (a *Agent) Missing() string {
	if a.Registry == "" {
		return a.Installation()
	}
	return "add it with turnwire agents add " + a.Name + ", or " + a.Installation()
}

// Installation says how to install the agent without the registry.
func (a *Agent) Installation() string {
	if address, ok := strings.CutPrefix(a.Install, "see "); ok {
		return "install it from " + address
	}
	return "install it: " + a.Install
}
