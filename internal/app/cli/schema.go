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
		Long: `Print the JSON Schema of what agents print (agent-event), of what they read
(agent-command), of the ACP messages that Turnwire speaks (acp-v1), or of
turnwire.json (config). Without a name it lists the names.

agent-event-strict and agent-command-strict are for tests: a type or a member
that is not listed is an error there, and one error.`,
		Example:   examples("turnwire schema", "turnwire schema agent-event > agent-event.schema.json", "turnwire schema agent-event-strict"),
		ValidArgs: schema.Names(),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("one name at most")
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
