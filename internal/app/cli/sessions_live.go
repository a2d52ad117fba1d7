package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/serve/control"
	"github.com/turnwire/turnwire/internal/visible"
)

func newSessionsLive() *cobra.Command {
	var o socketOption
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "live [flags]",
		Short: "List the sessions open on a server",
		Long: `List the sessions that are open on "turnwire serve": what each is doing, how many
questions are unanswered, and which clients are attached.`,
		Example: examples("turnwire sessions live", "turnwire sessions live --json"),
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := o.client()
			if err != nil {
				return err
			}
			all, err := client.Sessions(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				text, err := json.MarshalIndent(all, "", "  ")
				if err != nil {
					return err
				}
				_, err = io.WriteString(cmd.OutOrStdout(), visible.JSON(string(text))+"\n")
				return err
			}
			return writeLive(cmd.OutOrStdout(), all)
		},
	}
	o.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

// writeLive writes the open sessions as a table.
func writeLive(w io.Writer, all []control.Session) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "No session is open.")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tSTATE\tCLIENTS\tFOLDER")
	for _, s := range all {
		ends := "none"
		if len(s.Clients) > 0 {
			ends = strings.Join(s.Clients, ", ")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", inLine(s.ID), stateOf(s), inLine(ends), inLine(s.Cwd))
	}
	return t.Flush()
}

// stateOf describes what a session is doing.
func stateOf(s control.Session) string {
	switch {
	case s.Waiting == 1:
		return "asks"
	case s.Waiting > 1:
		return fmt.Sprintf("asks %d questions", s.Waiting)
	case s.Running:
		return "running"
	}
	return "idle"
}
