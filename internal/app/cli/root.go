// Package cli is the command line, with one file for each command. It reads
// flags, builds what they name, and runs it. Nothing here knows the protocol or
// a particular agent.
//
// Exit codes: 0 for success and for an orderly end (end of input, SIGTERM,
// SIGINT), 1 for a failure, 2 for a wrong command line. `turnwire run` has
// more; see its help.
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

// An exitError ends the program with an exit code. If err is nil, it prints no
// message.
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

// usagef returns an error for a wrong command line.
func usagef(format string, args ...any) error {
	return exitError{exitUsage, fmt.Errorf(format, args...)}
}

// Main runs the command line args and returns the exit code.
func Main(args []string) int {
	root := newRoot(args)
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	if err == nil {
		return exitOK
	}
	var exit exitError
	if !errors.As(err, &exit) {
		exit = exitError{exitFailure, err}
	}
	if exit.err != nil && !nobodyReads(exit.err) {
		complain(exit)
	}
	return exit.code
}

// nobodyReads reports whether stdout was closed by who read it, such as head: they want
// no more, and no message either.
func nobodyReads(err error) bool {
	failed, ok := errors.AsType[*fs.PathError](err)
	return ok && failed.Path == os.Stdout.Name() && errors.Is(failed, syscall.EPIPE)
}

func complain(exit exitError) {
	stderr := terminal.ForFiles(os.Stdin, os.Stderr, os.Stderr, os.Getenv)
	fmt.Fprintln(os.Stderr, paint(stderr.Colour).bad("turnwire:"), exit.err)
	if exit.code == exitUsage {
		fmt.Fprintln(os.Stderr, "Try: turnwire --help")
	}
}

// commands lists every command.
var commands = []struct {
	name string
	make func(*logOptions) *cobra.Command
}{
	{"acp", newACP},
	{"run", newRun},
	{"chat", newChat},
	{"sessions", newSessions},
	{"agents", newAgents},
	{"new", newNew},
	{"serve", newServe},
	{"attach", newAttach},
	{"stop", newStop},
	{"token", newToken},
	{"policy", newPolicy},
	{"audit", newAudit},
	{"setup", newSetup},
	{"doctor", newDoctor},
	{"check", newCheck},
	{"events", newEvents},
	{"schema", newSchema},
	{"version", newVersion},
}

// newRoot builds the command line for args. If they begin with the name of a
// command, only that command is built: an editor waits while Turnwire starts.
func newRoot(args []string) *cobra.Command {
	var o logOptions
	var askedVersion bool
	root := &cobra.Command{
		Use:   "turnwire",
		Short: "Any agent, in any editor that speaks the Agent Client Protocol",
		Long: `Turnwire is launched by an editor and speaks the Agent Client Protocol on its
stdin and stdout. It runs any agent that prints events as JSON lines.

Without a command it is "turnwire acp", unless stdin is a terminal.`,
		Example: `  turnwire run "/list"                   run one turn in this terminal
  turnwire acp                           what an editor launches
  turnwire acp -- python3 my_agent.py    the same with your own agent
  turnwire acp --agent ethos             the same with a named agent
  turnwire events --to v1 < stream       show what an editor would get`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if askedVersion {
				return printVersion(cmd)
			}
			if isatty.IsTerminal(os.Stdin.Fd()) {
				if err := cmd.Help(); err != nil {
					return err
				}
				return exitError{code: exitUsage}
			}
			agent, journal := agentOptions{dialect: dialectAuto}, journalOptions{}
			if err := (serverChoice{}).attachOr(&agent, &journal); err != nil {
				return err
			}
			return serveEditor(cmd.Context(), agent, o, journal, core.DefaultMaxSessions, true)
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return exitError{exitUsage, err} })
	root.Flags().BoolVar(&askedVersion, "version", false, "print the version")
	o.add(root)
	for _, sub := range commands {
		if len(args) > 0 && args[0] == sub.name {
			root.CompletionOptions.DisableDefaultCmd = true
			root.AddCommand(sub.make(&o))
			return root
		}
	}
	for _, sub := range commands {
		root.AddCommand(sub.make(&o))
	}
	return root
}

// splitAtDash splits the arguments before and after "--".
func splitAtDash(cmd *cobra.Command, args []string) (before, after []string, dashed bool) {
	at := cmd.ArgsLenAtDash()
	if at < 0 {
		return args, nil, false
	}
	return args[:at], args[at:], true
}

// examples indents the lines of help text.
func examples(lines ...string) string { return "  " + strings.Join(lines, "\n  ") }
