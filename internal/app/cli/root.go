// Package cli is the command line, with one file per command. It parses flags, builds
// what they describe, and runs it. It knows neither the protocol nor any particular
// agent.
//
// Exit codes: 0 for success and for an orderly end (EOF, SIGTERM, SIGINT), 1 for a
// failure, 2 for a usage error. `turnwire run` has more; see its help.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/terminal"
	"github.com/turnwire/turnwire/internal/bridge/core"
)

// Exit codes.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

// An exitError ends the program with an exit code. If err is nil, no message is printed.
type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e exitError) Unwrap() error { return e.err }

// usagef returns a usage error.
func usagef(format string, args ...any) error {
	return exitError{exitUsage, fmt.Errorf(format, args...)}
}

// Main runs the command line args and returns the exit code.
func Main(args []string) int {
	root := newRoot(args)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(context.Background())
	if err == nil {
		return exitOK
	}
	var exit exitError
	if !errors.As(err, &exit) {
		exit = exitError{exitFailure, err}
	}
	if exit.err != nil && !nobodyReads(exit.err) {
		complain(exit, cmd)
	}
	return exit.code
}

// nobodyReads reports whether the reader of stdout, such as head, closed it. Then the
// program ends without a message.
func nobodyReads(err error) bool {
	failed, ok := errors.AsType[*fs.PathError](err)
	return ok && failed.Path == os.Stdout.Name() && errors.Is(failed, syscall.EPIPE)
}

func complain(exit exitError, cmd *cobra.Command) {
	stderr := terminal.ForFiles(os.Stdin, os.Stderr, os.Stderr, os.Getenv)
	fmt.Fprintln(os.Stderr, paint(stderr.Colour).bad("turnwire:"), exit.err)
	if exit.code == exitUsage {
		fmt.Fprintf(os.Stderr, "See \"%s --help\".\n", cmd.CommandPath())
	}
}

// The groups of commands in the help text.
var groups = []*cobra.Group{
	{ID: "use", Title: "Use agents:"},
	{ID: "editors", Title: "Connect editors:"},
	{ID: "serve", Title: "Serve:"},
	{ID: "rules", Title: "Rules:"},
	{ID: "write", Title: "Write agents:"},
}

// commands lists every command, by its group.
var commands = []struct {
	name, group string
	make        func(*logOptions) *cobra.Command
}{
	{"run", "use", newRun},
	{"chat", "use", newChat},
	{"acp", "use", newACP},
	{"agents", "use", newAgents},
	{"sessions", "use", newSessions},
	{"setup", "editors", newSetup},
	{"doctor", "editors", newDoctor},
	{"serve", "serve", newServe},
	{"attach", "serve", newAttach},
	{"stop", "serve", newStop},
	{"token", "serve", newToken},
	{"policy", "rules", newPolicy},
	{"audit", "rules", newAudit},
	{"new", "write", newNew},
	{"check", "write", newCheck},
	{"events", "write", newEvents},
	{"schema", "write", newSchema},
	{"version", "", newVersion},
}

// newRoot builds the command tree for args. If args begin with a command's name, it
// builds only that command, because an editor waits while Turnwire starts.
func newRoot(args []string) *cobra.Command {
	var o logOptions
	var askedVersion bool
	root := &cobra.Command{
		Use:   "turnwire",
		Short: "Connect any agent to your editor, terminal or browser",
		Long: `Turnwire connects any agent to your editor, terminal or browser.

Without a command it opens a chat in a terminal, and is "turnwire acp" otherwise.`,
		Example: `  turnwire run "what is here?"                   one turn with the built-in agent
  turnwire chat --agent claude                   chat with Claude Code, if it is installed
  turnwire agents add gemini                     install an agent from the registry
  turnwire setup zed --agent gemini              use it in an editor
  turnwire serve --listen localhost:7777         use it in a browser
  turnwire new python notes                      write an agent`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q%s", args[0], meant(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if askedVersion {
				return printVersion(cmd)
			}
			if isatty.IsTerminal(os.Stdin.Fd()) {
				return openChat(cmd, &o)
			}
			agent, journal := agentOptions{dialect: dialectAuto}, journalOptions{}
			if err := (serverChoice{}).attachOr(&agent, &journal); err != nil {
				return err
			}
			return serveEditor(cmd.Context(), agent, o, journal, core.DefaultMaxSessions, true)
		},
	}
	root.SetFlagErrorFunc(explainFlag)
	root.Flags().BoolVar(&askedVersion, "version", false, "print the version")
	o.add(root)
	for _, sub := range commands {
		if len(args) > 0 && args[0] == sub.name {
			root.CompletionOptions.DisableDefaultCmd = true
			root.AddCommand(sub.make(&o))
			return root
		}
	}
	root.AddGroup(groups...)
	for _, sub := range commands {
		cmd := sub.make(&o)
		cmd.GroupID = sub.group
		root.AddCommand(cmd)
	}
	return root
}

// openChat opens a chat with the default agent. If there is no terminal to draw it on, it
// prints the help text.
func openChat(cmd *cobra.Command, o *logOptions) error {
	if !isatty.IsTerminal(os.Stdout.Fd()) {
		if err := cmd.Help(); err != nil {
			return err
		}
		return exitError{code: exitUsage}
	}
	chat := newChat(o)
	chat.SetArgs([]string{}) // nil would be those of the process
	chat.SilenceErrors, chat.SilenceUsage = true, true
	return chat.ExecuteContext(cmd.Context())
}

// splitAtDash splits args at "--".
func splitAtDash(cmd *cobra.Command, args []string) (before, after []string, dashed bool) {
	at := cmd.ArgsLenAtDash()
	if at < 0 {
		return args, nil, false
	}
	return args[:at], args[at:], true
}

// examples indents the lines of help text.
func examples(lines ...string) string { return "  " + strings.Join(lines, "\n  ") }
