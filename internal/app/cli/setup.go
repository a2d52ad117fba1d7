package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/setup"
	"github.com/turnwire/turnwire/internal/app/terminal"
	"github.com/turnwire/turnwire/internal/suggest"
)

// setupOptions are the flags that say which program an editor launches and how its
// settings change.
type setupOptions struct {
	agent   agentOptions
	name    string
	command string
	chat    bool   // set up VS Code's built-in chat
	listen  string // the server's address
	print   bool
	remove  bool
	yes     bool
}

func newSetup(*logOptions) *cobra.Command {
	var o setupOptions
	cmd := &cobra.Command{
		Use:   "setup " + strings.Join(setup.Names(), "|") + " [flags] [-- COMMAND [ARG...]]",
		Short: "Set up an editor to use an agent",
		Long: `Write the settings that add an agent to an editor, or print them.

Without --agent and COMMAND, the agent is the built-in workspace agent; both are as
for "turnwire acp". Turnwire shows the change and asks before it writes it. Comments,
order and formatting are preserved, and a backup of the old file is saved next to it.
--remove undoes the change.

You can set up several agents, one after the other. If an editor is installed more
than once (such as VS Code and VSCodium), each installation is set up.

VS Code 1.139 and later can show agents in its own chat: "setup vscode --chat" adds
the address of "turnwire serve" and a token to its settings, and offers to run the
server as a service.

Exit codes: 0 done, 1 failed, 2 wrong command line.`,
		Example: examples(
			"turnwire setup zed",
			"turnwire setup zed --agent gemini",
			"turnwire setup vscode --agent ethos",
			"turnwire setup vscode --chat",
			"turnwire setup neovim --yes",
			"turnwire setup jetbrains --agent awaken --url http://localhost:8080",
			"turnwire setup emacs --name Mine -- python3 /home/me/agent.py",
			"turnwire setup zed --agent glue --print",
			"turnwire setup zed --remove",
		),
		ValidArgsFunction: completeEditors(1),
		Args: func(cmd *cobra.Command, args []string) error {
			before, after, dashed := splitAtDash(cmd, args)
			switch {
			case len(before) == 0:
				return usagef("name an editor: %s", strings.Join(setup.Names(), ", "))
			case len(before) > 1:
				return usagef("name one editor, and put -- before a command")
			case dashed && len(after) == 0:
				return usagef("no command after --")
			case o.print && o.remove:
				return usagef("--print and --remove cannot be used together")
			}
			editor, err := editorNamed(before[0])
			if err != nil {
				return err
			}
			return o.checkChat(editor, dashed)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var before []string
			before, o.agent.command, _ = splitAtDash(cmd, args)
			editor, err := editorNamed(before[0])
			if err != nil {
				return err
			}
			if o.chat {
				return o.setupChat(cmd, editor)
			}
			if !o.print && !o.remove && !o.yes {
				if err := o.agent.offer(cmd, "."); err != nil {
					return err
				}
			}
			return o.run(cmd, editor)
		},
	}
	o.agent.addName(cmd)
	f := cmd.Flags()
	f.StringVar(&o.name, "name", "", "call the agent `NAME` in the editor")
	f.StringVar(&o.command, "command", "", "make the editor start the program at `PATH` instead of this one")
	f.BoolVar(&o.chat, "chat", false, "add the agents of \"turnwire serve\" to VS Code's own chat")
	f.StringVar(&o.listen, "listen", "", "with --chat: the server's local `ADDRESS` (default "+chatAddress+")")
	f.BoolVar(&o.print, "print", false, "print the settings, but don't change anything")
	f.BoolVar(&o.remove, "remove", false, "remove the agent")
	f.BoolVarP(&o.yes, "yes", "y", false, "don't ask for confirmation")
	for _, name := range []string{"name", "listen"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	cmd.AddCommand(newSetupServe())
	return cmd
}

func editorNamed(name string) (setup.Editor, error) {
	editor, ok := setup.Named(name)
	if !ok {
		return editor, usagef("unknown editor %q%s (supported: %s)", name, suggest.Hint(name, setup.Names()), strings.Join(setup.Names(), ", "))
	}
	return editor, nil
}

// completeEditors completes up to most editor names.
func completeEditors(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var names []cobra.Completion
		if len(args) < most {
			for _, e := range setup.Editors() {
				if !slices.Contains(args, e.Name) {
					names = append(names, cobra.CompletionWithDesc(e.Name, e.Title))
				}
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

func (o *setupOptions) run(cmd *cobra.Command, editor setup.Editor) error {
	a, err := o.wanted()
	if err != nil {
		return err
	}
	machine, err := setup.ThisMachine()
	if err != nil {
		return err
	}
	t := terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	s := session{
		editor: editor, agent: a, remove: o.remove, yes: o.yes,
		in: cmd.InOrStdin(), out: cmd.OutOrStdout(), errors: cmd.ErrOrStderr(),
		paint: paint(t.Colour), interactive: t.Interactive, home: machine.Home,
	}
	if !o.remove && isTemporary(a.Command) {
		s.warn("%s is in a temporary folder: install Turnwire, or name a permanent copy with --command", a.Command)
	}
	if err := o.agent.missing("."); err != nil && !o.remove {
		s.warn("%v", err)
	}
	for _, h := range o.agent.headers {
		if name, value, _ := strings.Cut(h, ":"); !o.remove && !strings.Contains(value, "$") {
			s.warn("the header %s would be written to the settings in plain text: use $NAME for an environment variable", name)
		}
	}
	files := editor.Files(machine)
	if o.print {
		return s.print(files)
	}
	if err := s.change(cmd.Context(), files); err != nil {
		return err
	}
	s.offerChat(files)
	return nil
}
