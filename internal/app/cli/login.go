package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/bridge/source/relay"
)

// loginPrefix is what makes the arguments of an agent's terminal login, appended
// to our own command line, those of the agent's command.
func loginPrefix(choice agents.Choice) []string {
	if choice.Given || choice.Relayed.URL != "" {
		return nil // our command line ends with the agent's
	}
	return append([]string{"--"}, choice.Relayed.Args...)
}

// runInTerminal runs an agent's command in the user's terminal. Editors start
// logins so: as the command that they know, with further arguments. There is
// nobody who speaks the protocol.
func runInTerminal(a *relay.Agent) error {
	// What the user interrupts is the agent, which is in the same group.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	cmd := exec.Command(a.Args[0], a.Args[1:]...) //nolint:gosec,noctx // it is what the user has configured, and ends by itself
	cmd.Env = a.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exitError{max(exit.ExitCode(), 1), nil}
	}
	if err != nil {
		return fmt.Errorf("run the agent: %w", err)
	}
	return nil
}
