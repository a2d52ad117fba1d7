package cli

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/terminal"
)

func newChat(log *logOptions) *cobra.Command {
	var o agentOptions
	var journal journalOptions
	var server serverChoice
	var goOn, plain bool
	var cwd, resume string
	cmd := &cobra.Command{
		Use:   "chat [flags] [PROMPT] [-- COMMAND [ARG...]]",
		Short: "Chat with an agent in the terminal",
		Long: `Chat with an agent in a full-screen terminal. COMMAND and --agent are as for
"turnwire acp"; without them the built-in workspace agent answers.

Enter sends. Prompts sent while the agent works are queued: Up edits a queued
prompt, Ctrl-S cancels the turn and sends it now. Tab, / and @ complete commands
and files; a file mentioned with @ is attached. Esc cancels. Ctrl-O selects modes,
models and options, Shift-Tab the next mode. PgUp and the mouse wheel scroll,
Ctrl-F searches. Ctrl-R opens another session. Ctrl-C cancels, then quits.

A new session starts unless --continue or --resume selects an existing one.`,
		Example: examples(
			"turnwire chat",
			"turnwire chat --agent claude",
			`turnwire chat "what is here?" -- python3 my_agent.py`,
			"turnwire chat --agent agentao --continue",
			"turnwire chat --server --resume tw-3k9",
		),
		Args: func(cmd *cobra.Command, args []string) error {
			before, after, dashed := splitAtDash(cmd, args)
			switch {
			case dashed && len(after) == 0:
				return usagef("no command after --")
			case len(before) > 1:
				return usagef("only one prompt is allowed: put it in quotes%s", forgottenDash("chat", before))
			case goOn && cmd.Flags().Changed("resume"):
				return usagef("--continue and --resume cannot be used together")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var before []string
			before, o.command, _ = splitAtDash(cmd, args)
			dir, err := filepath.Abs(cwd)
			if err != nil {
				return err
			}
			opts := terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
			opts.Cwd, opts.Continue, opts.Plain = dir, goOn, plain
			if len(before) > 0 {
				opts.Prompt = before[0]
			}
			if cmd.Flags().Changed("resume") {
				if err := server.resumed(cmd.Context(), &o, &opts, resume, cmd.Flags().Changed("cwd")); err != nil {
					return err
				}
			}
			if opts.Lasting, err = server.attach(&o, &journal); err != nil {
				return err
			}
			if err := o.offer(cmd, dir); err != nil {
				return err
			}
			var left *string
			opts.Leave = func(session string) { left = &session }
			again := func(o *terminal.Options) bool {
				if left == nil {
					return false
				}
				o.Resume, o.Continue, o.Prompt, left = *left, false, "", nil
				return true
			}
			return runTurn(cmd.Context(), o, *log, journal, ruledTurn{show: terminal.Chat, name: "turnwire chat", again: again}, opts)
		},
	}
	o.addName(cmd)
	o.addDialect(cmd)
	journal.add(cmd)
	server.add(cmd, "")
	addPlain(cmd, &plain)
	addSession(cmd, &cwd, &goOn, &resume)
	return cmd
}
