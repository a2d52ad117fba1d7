package agents

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/app/agents/known"
)

// Misuse returns what is probably wrong with a command line that should start an agent
// that prints events, judging by its words. It returns nil if nothing is known about the
// command. The finding contains no arguments, which may be secret.
func Misuse(args []string) *lint.Finding {
	if len(args) == 0 {
		return nil
	}
	program := filepath.Base(args[0])
	name := ""
	if program == args[0] { // a path is probably the user's own program
		name = nameOf(program)
	}
	switch {
	case name != "" && (speaksACP(args) || isAdapter(name, program)):
		return finding(lint.SpeaksACP, "the program "+program+" speaks the Agent Client Protocol", "Use --agent "+name+".")
	case name != "":
		return finding(lint.OtherAgent, "the program "+program+" does not print Turnwire's events", "Use --agent "+name+".")
	case speaksACP(args):
		return finding(lint.SpeaksACP, "the program "+program+" probably speaks the Agent Client Protocol", "Use --agent acp -- COMMAND.")
	case slices.Contains(args, "stream-json"):
		return finding(lint.StreamJSON, "the program "+program+" probably prints Claude Code's stream-json", "Use --agent claude.")
	}
	return nil
}

// nameOf returns the name of the common agent that a program belongs to, or "".
func nameOf(program string) string {
	if _, ok := known.Named(program); ok {
		return program
	}
	return known.Meant(program)
}

// isAdapter reports whether a program of a common agent does nothing but speak ACP.
func isAdapter(name, program string) bool {
	a, _ := known.Named(name)
	return slices.ContainsFunc(a.Commands, func(c known.Command) bool {
		return c.Type == "" && len(c.Args) == 1 && c.Args[0] == program
	})
}

// speaksACP reports whether the words ask an agent to speak ACP.
func speaksACP(args []string) bool {
	return slices.ContainsFunc(args[1:], func(arg string) bool {
		word, _, _ := strings.Cut(arg, "=")
		return word == "acp" || word == "--acp" || word == "--experimental-acp"
	})
}

func finding(rule, message, help string) *lint.Finding {
	f := lint.New(rule, message)
	f.Help = help
	return &f
}
