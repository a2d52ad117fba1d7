package scaffold

import (
	"fmt"
	"strings"
)

// readme returns the new agent's README.md.
func (a Agent) readme() string {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\nAn agent for [Turnwire](https://github.com/turnwire/turnwire), which shows it in any editor that speaks the Agent Client\n"+
		"Protocol. Its program begins in `%s`.\n\n```console\n", a.Name, a.Language.Main)
	for _, line := range a.Language.Build {
		fmt.Fprintf(&out, "$ %s\n", line)
	}
	command := strings.Join(a.Language.program, " ")
	if len(a.Language.program) == 1 {
		command = "./" + command
	}
	fmt.Fprintf(&out, "$ turnwire run %q -- %s\n$ %s\n```\n\n", a.Prompt(), fill(command, a.Name), a.Language.Check)
	if a.Language.model {
		out.WriteString("The agent reads, searches, edits and runs with Turnwire's tools, which ask you first. Its model is any that has an API like\n" +
			"OpenAI's: `OPENAI_BASE_URL` (by default that of Ollama on this machine), `OPENAI_MODEL` and `OPENAI_API_KEY` choose it.\n\n")
	}
	out.WriteString("The last line says what is wrong with the agent, if anything is. To see it in an editor, name the editor and the\n" +
		"program by its whole path:\n\n```console\n")
	fmt.Fprintf(&out, "$ turnwire setup zed --name %s -- %s\n```\n", a.Name, fill(strings.Join(a.pathed(), " "), a.Name))
	if len(a.Language.emitters) > 0 {
		out.WriteString("\nThe folder `turnwire` holds the emitter, as it came with the Turnwire that has written this. It is yours to keep or to\n" +
			"replace by the package `turnwire-agent`.\n")
	}
	out.WriteString("\nWhat an agent can print: https://github.com/turnwire/turnwire/blob/main/docs/events.md\n")
	return out.String()
}

// Prompt returns a first prompt for the agent.
func (a Agent) Prompt() string {
	if a.Language.model {
		return "what is here?"
	}
	return "buy milk"
}

// pathed returns the command for a document, with a placeholder for the folder.
func (a Agent) pathed() []string {
	program := append([]string(nil), a.Language.program...)
	program[len(program)-1] = "/path/to/" + a.Name + "/" + program[len(program)-1]
	return program
}
