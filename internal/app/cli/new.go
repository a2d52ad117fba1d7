package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/scaffold"
	"github.com/turnwire/turnwire/internal/app/setup"
)

func newNew(*logOptions) *cobra.Command {
	var model bool
	cmd := &cobra.Command{
		Use:   "new " + strings.Join(scaffold.Names(), "|") + " NAME",
		Short: "Create an agent from a template",
		Long: `Create a working agent in the new folder NAME: a program that answers, asks
questions, and writes a file if you allow it, with the library for its language,
if there is one, and a check. Existing files are never overwritten.

With --model, the agent is a coding agent instead: a model that reads, searches,
edits and runs with Turnwire's tools. Any server with an API like OpenAI's will do,
such as Ollama.

At the end, it prints the commands that try the agent, check it, and set it up in
your editor.

Exit codes: 0 created, 1 failed, 2 wrong command line.`,
		Example: examples("turnwire new python notes", "turnwire new typescript ~/agents/notes", "turnwire new python --model coder"),
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usagef("name a language: %s", strings.Join(scaffold.Names(), ", "))
			case len(args) == 1:
				return usagef("name the agent: turnwire new %s NAME", args[0])
			case len(args) > 2:
				return usagef("give one language and one name")
			}
			if _, err := scaffold.Named(args[0]); err != nil {
				return exitError{exitUsage, err}
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			switch len(args) {
			case 0:
				var names []cobra.Completion
				for _, l := range scaffold.Languages() {
					names = append(names, cobra.CompletionWithDesc(l.Name, l.Title))
				}
				return names, cobra.ShellCompDirectiveNoFileComp
			case 1:
				return nil, cobra.ShellCompDirectiveFilterDirs
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := scaffold.Named(args[0])
			if err == nil && model {
				l, err = l.WithModel()
			}
			if err != nil {
				return err
			}
			a, err := scaffold.Write(l, args[1])
			if err != nil {
				return err
			}
			return tellNew(cmd.OutOrStdout(), a)
		},
	}
	cmd.Flags().BoolVar(&model, "model", false, "a coding agent with a model and Turnwire's tools (python)")
	return cmd
}

// tellNew prints what was written and the next steps.
func tellNew(w io.Writer, a scaffold.Agent) error {
	var out strings.Builder
	fmt.Fprintf(&out, "Created %s in %s: start with %s.\n\n", a.Name, a.Folder, a.Language.Main)
	inFolder := "cd " + quoted(a.Folder)
	for _, line := range append([]string{inFolder}, a.Language.Build...) {
		fmt.Fprintf(&out, "  %s\n", line)
	}
	var command []string
	for _, part := range a.Command() {
		command = append(command, quoted(part))
	}
	program := strings.Join(command, " ")
	fmt.Fprintf(&out, "  turnwire run %q -- %s\n  %s\n\nTo see it in an editor:\n\n", a.Prompt(), program, a.Language.Check)
	for _, e := range setup.Editors() {
		fmt.Fprintf(&out, "  turnwire setup %-10s --name %s -- %s\n", e.Name, a.Name, program)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// quoted quotes an argument for a shell, if necessary.
func quoted(arg string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=,"
	if strings.Trim(arg, plain) == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
