package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/terminal"
)

// listed is an agent in the output of "turnwire agents --json".
type listed struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Title     string `json:"title,omitempty"`
	Source    string `json:"source"` // the path of a file, or "built in"
	How       string `json:"how"`
	Reachable *bool  `json:"reachable"` // null if unknown
	Detail    string `json:"detail"`
	// Addable means that the agent is not installed, and "turnwire agents add" can add it.
	Addable bool `json:"addable,omitempty"`
	known   bool // the agent needs no configuration, only its program
}

func newAgents(*logOptions) *cobra.Command {
	var o agentOptions
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "agents [flags]",
		Short: "List agents, and add more from the ACP registry",
		Long: `List the agents that --agent accepts: those defined in your turnwire.json or the
project's, common agents such as Claude Code if they are in PATH, and the built-in
ones. Each line shows how the agent is reached and whether it is available: whether
its program is installed, or its server answers within two seconds. Servers defined
only by the project are not contacted until you select them.

"turnwire agents add" adds common agents that are not installed; --all and --json
list those too. For any other agent that speaks ACP, use --agent acp -- COMMAND.

"turnwire schema config" prints the JSON Schema of turnwire.json.`,
		Example: examples(
			"turnwire agents",
			"turnwire agents --all",
			"turnwire agents --json",
			"turnwire agents --config team.json",
			"turnwire agents search gemini",
			"turnwire agents add claude",
		),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			catalogue, err := o.catalogue(".")
			if err != nil {
				return err
			}
			list := checkAll(cmd.Context(), catalogue.Choices())
			if asJSON {
				out := json.NewEncoder(cmd.OutOrStdout())
				out.SetEscapeHTML(false)
				out.SetIndent("", "  ")
				return out.Encode(list)
			}
			var missing []string
			if !all {
				list, missing = installed(list)
			}
			if t := terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv); t.Terminal && cmd.OutOrStdout() == os.Stdout {
				return (&agentsTable{list, missing, paint(t.Colour), t.Width()}).write(cmd.OutOrStdout())
			}
			return tabulate(cmd.OutOrStdout(), list)
		},
	}
	o.addConfig(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	cmd.Flags().BoolVar(&all, "all", false, "also list common agents that are not installed")
	cmd.AddCommand(newAgentsSearch(), newAgentsAdd(), newAgentsUpdate(), newAgentsRemove())
	return cmd
}

// checkAll checks all agents concurrently.
func checkAll(ctx context.Context, entries []agents.Entry) []listed {
	list := make([]listed, len(entries))
	var all sync.WaitGroup
	for i, e := range entries {
		all.Go(func() {
			r := e.Reach(ctx)
			source := e.Config.File()
			if source == "" {
				source = "built in"
			}
			list[i] = listed{Name: e.Name, Type: e.Config.Type, Title: e.Title, Source: source, How: r.How, Reachable: r.Reachable, Detail: r.Detail}
			if e.Known != nil {
				list[i].known = true
				list[i].Addable = e.Known.Registry != "" && r.Reachable != nil && !*r.Reachable
			}
		})
	}
	all.Wait()
	return list
}

// installed returns the list without the common agents that are not installed, and the
// names of those.
func installed(list []listed) (there []listed, missing []string) {
	for _, l := range list {
		if l.known && l.now() == "no" {
			missing = append(missing, l.Name)
		} else {
			there = append(there, l)
		}
	}
	return there, missing
}

// now returns "yes" if the agent can be reached, "no" if not, and "?" if unknown.
func (l *listed) now() string {
	if l.Reachable == nil {
		return "?"
	}
	return map[bool]string{true: "yes", false: "no"}[*l.Reachable]
}

func (l *listed) what() string {
	if l.Source == "built in" {
		return printable(l.Title)
	}
	return printable(strings.TrimPrefix(l.Title+" ("+l.Source+")", " "))
}

// tabulate writes one agent per line.
func tabulate(w io.Writer, list []listed) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "NAME\tREACHED BY\tNOW\tWHAT IT IS")
	for _, l := range list {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", l.Name, printable(l.How), l.now()+": "+printable(l.Detail), l.what())
	}
	return out.Flush()
}

// printable replaces every character of s that a terminal would interpret. A project's
// file must not control the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '�'
		}
		return r
	}, s)
}
