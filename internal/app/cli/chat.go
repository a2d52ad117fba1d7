package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/terminal"
)

func newChat(log *logOptions) *cobra.Command {
	var o agentOptions
	var journal journalOptions
	var server serverChoice
	var goOn, plain, mouse bool
	var cwd, resume string
	cmd := &cobra.Command{
		Use:   "chat [flags] [PROMPT] [-- COMMAND [ARG...]]",
		Short: "Chat with an agent in the terminal",
		Long: `Chat with an agent in a full-screen terminal. COMMAND and --agent are as for
"turnwire acp"; without them the built-in workspace agent answers.

Enter sends. Prompts sent while the agent works are queued: Up edits a queued
prompt, Ctrl-S cancels the turn and sends it now. Tab, / and @ complete commands
and files; a file mentioned with @ is attached. "!COMMAND" runs a command in your
shell; the agent doesn't see it. Esc cancels the turn and pauses the queue. Ctrl-T
selects modes, models and options. PgUp scrolls, Ctrl-F searches, Ctrl-O shows what
was cut, Ctrl-Y copies the last answer, Ctrl-G opens your editor. Ctrl-C cancels,
then quits. Esc twice edits an earlier message and goes on from there. F1 lists all
keys and commands.

When you quit, the conversation stays in the terminal's scrollback.

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
			var draft string
			opts.Leave = func(session, text string) { left, draft = &session, text }
			if opts.Chat, err = chatOptions(cmd, &o, &journal, dir); err != nil {
				return err
			}
			opts.Chat.Mouse = mouse
			again := func(o *terminal.Options) bool {
				if left == nil {
					return false
				}
				o.Resume, o.Continue, o.Prompt, o.Draft, left = *left, false, "", draft, nil
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
	cmd.Flags().BoolVar(&mouse, "mouse", false, "scroll with the mouse wheel; selecting text then needs Shift")
	addSession(cmd, &cwd, &goOn, &resume)
	return cmd
}

// chatOptions returns the options of a chat in a folder that use this machine.
func chatOptions(cmd *cobra.Command, o *agentOptions, j *journalOptions, dir string) (c terminal.ChatOptions, err error) {
	c.Shell, c.Editor = runInFolder(dir), userEditor()
	c.Notification = terminal.NotificationOf(os.Getenv)
	again := continuation(cmd)
	c.Again = func(string) string { return again }
	sessions, err := config.Find(o.config, dir).Sessions()
	if err != nil || j.off || !sessions.Saved() {
		return c, err
	}
	if !o.served {
		c.Export = exportInto(dir)
	}
	if history, err := openPromptHistory(); err == nil {
		c.Earlier, c.Remember = history.read(), history.add
	}
	return c, nil
}

// continuation returns the command line that continues the newest session of a chat.
func continuation(cmd *cobra.Command) string {
	words := []string{"turnwire", "chat"}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "continue", "resume", "help", "header": // a header may be a secret
			return
		}
		switch value := f.Value.String(); {
		case value == f.NoOptDefVal:
			words = append(words, "--"+f.Name)
		case f.NoOptDefVal != "":
			words = append(words, "--"+f.Name+"="+quoted(value))
		default:
			words = append(words, "--"+f.Name, quoted(value))
		}
	})
	words = append(words, "--continue")
	if _, command, dashed := splitAtDash(cmd, cmd.Flags().Args()); dashed {
		words = append(words, "--")
		for _, arg := range command {
			words = append(words, quoted(arg))
		}
	}
	return strings.Join(words, " ")
}

// exportInto returns a function that saves a session as Markdown in a folder.
func exportInto(dir string) func(session string) (string, error) {
	return func(session string) (string, error) {
		folder, err := sessionsFolder()
		if err != nil {
			return "", err
		}
		s, err := folder.Describe(session)
		if err != nil {
			return "", err
		}
		name := "turnwire-" + session + ".md"
		return name, writeFile(filepath.Join(dir, name), func(w io.Writer) error { return exporters["md"](w, folder, s) })
	}
}
