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

// loginPrefix returns the arguments to put between our own command line and the arguments
// of an agent's terminal login, so that together they run the agent's command.
func loginPrefix(choice agents.Choice) []string {
	if choice.Given || choice.Relayed.URL != "" {
		return nil // our command line ends with the agent's
	}
	return append([]string{"--"}, choice.Relayed.Args...)
}

// runInTerminal runs an agent's command in the user's terminal. Editors start a terminal
// login this way: they run the command they know with extra arguments, and don't speak
// the protocol with it.
func runInTerminal(a *relay.Agent) error {
	// Ctrl-C is for the agent, which is in the same process group.
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
