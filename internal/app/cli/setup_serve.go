package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/serve"
	"github.com/turnwire/turnwire/internal/app/setup"
	"github.com/turnwire/turnwire/internal/app/setup/service"
	"github.com/turnwire/turnwire/internal/app/terminal"
	"github.com/turnwire/turnwire/internal/atomicfile"
)

func newSetupServe() *cobra.Command {
	var o setupOptions
	cmd := &cobra.Command{
		Use:   "serve [flags] [-- COMMAND [ARG...]]",
		Short: "Install a server as a service",
		Long: `Install "turnwire serve" as a service that starts when you log in: a systemd user
unit on Linux, a launchd property list on macOS. Turnwire shows the file and asks
before it writes it. The command that starts the service is printed at the end;
nothing is started.

--listen adds a local network address, for programs that have a token ("turnwire
token create") and can't open a Unix socket.`,
		Example: examples(
			"turnwire setup serve",
			"turnwire setup serve --listen 127.0.0.1:7777",
			"turnwire setup serve --agent ethos --yes",
			"turnwire setup serve --print",
			"turnwire setup serve --remove",
		),
		Args: func(cmd *cobra.Command, args []string) error {
			before, after, dashed := splitAtDash(cmd, args)
			switch {
			case len(before) > 0:
				return usagef("put -- before the command: turnwire setup serve -- %s", before[0])
			case dashed && len(after) == 0:
				return usagef("no command after --")
			case o.print && o.remove:
				return usagef("--print and --remove cannot be used together")
			}
			return o.checkListen()
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			_, o.agent.command, _ = splitAtDash(cmd, args)
			return o.service(cmd)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.agent.name, "agent", "a", "", "serve only the agent `NAME` (default: all named agents)")
	f.StringVar(&o.command, "command", "", "run the program at `PATH` instead of this one")
	f.StringVar(&o.listen, "listen", "", "also listen on the local `ADDRESS`, for clients with a token")
	f.BoolVar(&o.print, "print", false, "print the file, but don't write it")
	f.BoolVar(&o.remove, "remove", false, "delete the file")
	f.BoolVarP(&o.yes, "yes", "y", false, "don't ask for confirmation")
	_ = cmd.RegisterFlagCompletionFunc("agent", o.agent.completeName)
	_ = cmd.RegisterFlagCompletionFunc("listen", cobra.NoFileCompletions)
	return cmd
}

// checkListen returns an error for an address that other machines can reach. Such a
// service needs a certificate, which setup doesn't provide.
func (o *setupOptions) checkListen() error {
	if o.listen != "" && !serve.Loopback(o.listen) {
		return usagef("--listen %q: must be a local address, such as %s; docs/remote.md describes others", o.listen, chatAddress)
	}
	return nil
}

// serving returns the arguments with which this program serves the agent.
func (o *setupOptions) serving() ([]string, error) {
	words, err := o.agent.words()
	if err != nil || o.listen == "" {
		return append([]string{"serve"}, words[min(1, len(words)):]...), err
	}
	// With --listen, a socket must be requested explicitly.
	socket, err := defaultSocket()
	if err != nil {
		return nil, err
	}
	return append([]string{"serve", "--listen", o.listen, "--auth", authToken, "--socket", socket}, words[1:]...), nil
}

// service writes or deletes the service's file.
func (o *setupOptions) service(cmd *cobra.Command) error {
	machine, err := setup.ThisMachine()
	if err != nil {
		return err
	}
	program, err := o.program()
	if err != nil {
		return err
	}
	words, err := o.serving()
	if err != nil {
		return err
	}
	s, err := service.For(machine, append([]string{program}, words...))
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	switch {
	case o.print:
		fmt.Fprintf(cmd.ErrOrStderr(), "For %s:\n", s.Path)
		fmt.Fprint(out, s.Text)
		return nil
	case o.remove:
		if err := os.Remove(s.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		fmt.Fprintf(out, "%s was removed. To stop the running server:\n  %s\n", s.Path, s.Stop)
		return nil
	}
	old, err := os.ReadFile(s.Path)
	if err == nil && string(old) == s.Text {
		fmt.Fprintf(out, "%s is already up to date.\n", s.Path)
		return nil
	}
	fmt.Fprintf(out, "%s will be:\n\n%s\n", s.Path, s.Text)
	if err := o.agrees(cmd); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.Path), 0o755); err != nil { //nolint:gosec // as the manager's own folder
		return err
	}
	if err := atomicfile.Write(s.Path, []byte(s.Text)); err != nil {
		return err
	}
	fmt.Fprintf(out, "Written. To start it now and at each login:\n  %s\n", s.Start)
	return nil
}

// agrees asks the user, unless --yes was given.
func (o *setupOptions) agrees(cmd *cobra.Command) error {
	if o.yes {
		return nil
	}
	t := terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	if !t.Interactive {
		return errors.New("nothing was written because there is no terminal to ask in: use --yes to write it, or --print to see it")
	}
	return agreed(cmd.InOrStdin(), cmd.OutOrStdout(), paint(t.Colour), "Write it?", errNothingChanged)
}
