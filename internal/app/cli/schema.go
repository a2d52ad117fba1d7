package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/schema"
)

func newSchema(*logOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [" + strings.Join(schema.Names(), "|") + "]",
		Short: "Print a JSON Schema",
		Long: `Print a JSON Schema: of the events that agents print (agent-event), the commands
they read (agent-command), the ACP messages that Turnwire supports (acp-v1), or
turnwire.json (config). Without a name, list the schemas.

agent-event-strict and agent-command-strict are for tests: an unknown type or
member is reported as exactly one error.`,
		Example:   examples("turnwire schema", "turnwire schema agent-event > agent-event.schema.json", "turnwire schema agent-event-strict"),
		ValidArgs: schema.Names(),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("name at most one schema")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(schema.Names(), "\n"))
				return err
			}
			text, err := schema.Read(args[0])
			if err != nil {
				return exitError{exitUsage, err}
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
}
