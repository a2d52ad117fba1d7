package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/registry"
)

// notInstalledError reports that a common agent's program is missing.
type notInstalledError struct{ agents.Entry }

// Error implements error.
func (e notInstalledError) Error() string {
	return e.Known.Lack() + ": " + e.Known.Missing()
}

// missing returns the chosen agent if it is a common one that is not installed. It returns
// nil if the command line or a configuration says how to run the agent.
func (o *agentOptions) missing(dir string) error {
	if o.name == "" || len(o.command) > 0 || o.url != "" || o.replay != "" {
		return nil
	}
	catalogue, err := o.catalogue(dir)
	if err != nil {
		return nil //nolint:nilerr // opening the agent reports it
	}
	if e, ok := catalogue.Entry(o.name); ok && !e.Installed() {
		return notInstalledError{e}
	}
	return nil
}

// offer offers to add the chosen agent from the ACP registry, if it is not installed.
// Without a terminal, or if the user refuses, it returns an error.
func (o *agentOptions) offer(cmd *cobra.Command, dir string) error {
	err := o.missing(dir)
	none, ok := errors.AsType[notInstalledError](err)
	if !ok {
		return err
	}
	k := keeper{config: o.config}
	if err := k.open(cmd); err != nil || !k.interactive || none.Known.Registry == "" {
		return errors.Join(none, err)
	}
	k.out = k.errors // stdout may be a file
	fmt.Fprintf(k.out, "%s. The ACP registry has it:\n\n", none.Known.Lack())
	from := registryOptions{from: registry.Official}
	if err := k.add(&from, o.name, "", false); err != nil {
		return fmt.Errorf("%w; %s", err, none.Known.Installation())
	}
	fmt.Fprintln(k.out)
	return nil
}
