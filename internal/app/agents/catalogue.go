package agents

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/app/agents/known"
	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/suggest"
)

// An Entry is a named agent.
type Entry struct {
	Name string
	// Title describes the agent in a few words.
	Title  string
	Config config.Agent
	// Known is set for a common agent that is used by its name alone. Config is then
	// empty until resolve has looked for its program.
	Known *known.Agent

	tap func(line []byte)
}

// Workspace is both the name and the type of the embedded agent.
const Workspace = "workspace"

// builtIn are the agents that need no configuration.
var builtIn = []Entry{
	{Name: "ethos", Title: "Ethos", Config: config.Agent{Type: config.TypeEthos}},
	{Name: "agentao", Title: "Agentao", Config: config.Agent{Type: config.TypeAgentao}},
	{Name: "awaken", Title: "Awaken", Config: config.Agent{Type: config.TypeAwaken}},
	{Name: "glue", Title: "Glue", Config: config.Agent{Type: config.TypeGlue}},
	{Name: "agentb", Title: "AgentB", Config: config.Agent{Type: config.TypeAgentB}},
	{Name: "agui", Title: "any agent that speaks AG-UI", Config: config.Agent{Type: config.TypeAGUI}},
	{Name: "aisdk", Title: "a chat route of the AI SDK", Config: config.Agent{Type: config.TypeAISDK}},
	{Name: config.TypeACP, Title: "any agent that speaks ACP", Config: config.Agent{Type: config.TypeACP}},
	{Name: Workspace, Title: "the embedded agent, which needs no model", Config: config.Agent{Type: Workspace}},
}

// BuiltIn returns the names of the built-in agents.
func BuiltIn() []string {
	var names []string
	for _, e := range builtIn {
		names = append(names, e.Name)
	}
	return names
}

// reserved returns the names that a project can't redefine, because users already use
// them: those of the built-in and the known agents.
func reserved() []string {
	names := BuiltIn()
	for _, a := range known.All() {
		names = append(names, a.Name)
	}
	return names
}

// A Catalogue holds the agents that a user can name.
type Catalogue struct{ entries []Entry }

// Load creates a catalogue of the built-in and known agents and those in the files at p.
func Load(p config.Places) (*Catalogue, error) {
	configured, err := p.Load(reserved())
	if err != nil {
		return nil, err
	}
	return New(configured), nil
}

// New creates a catalogue of the built-in, the configured and the known agents. A
// configured agent replaces a built-in or known one of the same name.
func New(configured map[string]config.Agent) *Catalogue {
	var c Catalogue
	for _, e := range builtIn {
		if _, ok := configured[e.Name]; !ok {
			c.entries = append(c.entries, e)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(configured)) {
		a := configured[name]
		a.Command = resolveCommand(&a)
		c.entries = append(c.entries, Entry{Name: name, Title: a.Title, Config: a})
	}
	for _, a := range known.All() {
		if _, ok := configured[a.Name]; !ok {
			c.entries = append(c.entries, Entry{Name: a.Name, Title: a.Title, Known: &a})
		}
	}
	return &c
}

// Entries returns the entries in the order in which they are listed.
func (c *Catalogue) Entries() []Entry { return slices.Clone(c.entries) }

// Choices returns the entries that a user can choose from a list, with those first that
// they probably want: their own, then the common agents. It omits "acp", which is no agent
// without a command.
func (c *Catalogue) Choices() []Entry {
	rank := func(e Entry) int {
		switch {
		case e.Config.File() != "":
			return 0
		case e.Known != nil:
			return 1
		}
		return 2
	}
	choices := slices.DeleteFunc(c.Entries(), func(e Entry) bool {
		return e.Name == config.TypeACP && e.Config.File() == ""
	})
	slices.SortStableFunc(choices, func(a, b Entry) int { return rank(a) - rank(b) })
	return choices
}

// Entry returns the entry with the given name.
func (c *Catalogue) Entry(name string) (Entry, bool) {
	i := slices.IndexFunc(c.entries, func(e Entry) bool { return e.Name == name })
	if i < 0 {
		return Entry{}, false
	}
	return c.entries[i], true
}

// Names returns the names of the entries.
func (c *Catalogue) Names() []string {
	var names []string
	for _, e := range c.entries {
		names = append(names, e.Name)
	}
	return names
}

// find returns the entry with the given name.
func (c *Catalogue) find(name string) (Entry, error) {
	e, ok := c.Entry(name)
	if !ok {
		names := c.Names()
		if meant := cmp.Or(known.Meant(name), suggest.Of(name, names)); meant != "" {
			return Entry{}, usagef("unknown agent %q; did you mean %s?", name, meant)
		}
		return Entry{}, usagef("unknown agent %q (available: %s)", name, strings.Join(names, ", "))
	}
	e.resolve()
	return e, nil
}

// A UsageError says that the command line requests something that doesn't exist or
// doesn't fit the agent.
type UsageError struct{ text string }

// Error implements error.
func (e *UsageError) Error() string { return e.text }

func usagef(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}
