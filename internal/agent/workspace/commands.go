package workspace

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// A command is a kind of step. The parser, the help and the editor's list of
// slash commands use it.
type command struct {
	name  string // without the slash
	hint  string // the arguments
	about string
	parse func(rest string) (step, error)
}

// usage returns how the command is typed.
func (c command) usage() string { return strings.TrimSpace("/" + c.name + " " + c.hint) }

// commands is a function, not a variable, because /help, which is in the
// table, reads the table.
func commands() []command {
	return []command{
		{"say", "TEXT", "Answer with TEXT", parseSay},
		{"think", "TEXT", "Show TEXT as a thought", parseThink},
		{"plan", "A; B; C", "Show a plan; the next steps complete its entries", parsePlan},
		{"read", "PATH", "Read a file", parseRead},
		{"list", "[PATH]", "List a directory", parseList},
		{"search", "PATTERN [GLOB]", "Search files for a regular expression", parseSearch},
		{"append", "PATH TEXT", "Append a line to a file (asks first)", parseAppend},
		{"edit", "PATH OLD => NEW", "Replace the only occurrence of OLD with NEW (asks first)", parseEdit},
		{"write", "PATH TEXT", "Overwrite a file with TEXT (asks first)", parseWrite},
		{"run", "COMMAND", "Run a shell command (asks first)", parseRun},
		{"ask", "QUESTION | A | B", "Ask you a question, with or without choices", parseAsk},
		{"wait", "SECONDS", "Wait", parseWait},
		{"fail", "TEXT", "Show a tool call that fails with TEXT", parseFail},
		{"help", "", "Show this list", parseHelp},
	}
}

// findCommand returns the command with this name.
func findCommand(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

// availableCommands returns the table as an event.
func availableCommands() *agent.AvailableCommands {
	e := new(agent.AvailableCommands)
	for _, c := range commands() {
		e.Commands = append(e.Commands, agent.Command{Name: c.name, Description: c.about, Hint: c.hint})
	}
	return e
}
