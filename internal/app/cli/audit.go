package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/audit"
	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// auditOptions are the flags that select the decisions to print.
type auditOptions struct {
	session, agent string
	last           int
	json           bool
}

func newAudit(*logOptions) *cobra.Command {
	var o auditOptions
	cmd := &cobra.Command{
		Use:   "audit [flags]",
		Short: "Show the outcome of permission requests",
		Long: `Show the outcome of each permission request, oldest first: when it was made, in
which session, for what, and which rule or person decided. The log is audit.jsonl
in the state folder. Turnwire only appends to it; delete or move it as you like.`,
		Example: examples(
			"turnwire audit",
			"turnwire audit --agent ethos --last 20",
			"turnwire audit --json | jq 'select(.by == \"rule\")'",
		),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("audit takes no argument; use --session ID to show one session")
			}
			if o.last < 0 {
				return usagef("--last must not be negative")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			path, err := auditFile()
			if err != nil {
				return err
			}
			return o.print(path, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.session, "session", "", "show only sessions whose ID starts with `ID`")
	f.StringVarP(&o.agent, "agent", "a", "", "show only the agent `NAME`")
	f.IntVar(&o.last, "last", 0, "show only the last `N` entries (0 = all)")
	f.BoolVar(&o.json, "json", false, "print one JSON object per line, as in the log")
	_ = cmd.RegisterFlagCompletionFunc("session", func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return completeSession(typed)
	})
	_ = cmd.RegisterFlagCompletionFunc("agent", (&agentOptions{}).completeName)
	_ = cmd.RegisterFlagCompletionFunc("last", cobra.NoFileCompletions)
	return cmd
}

// print prints the selected decisions in the file. It reports and skips invalid lines.
func (o *auditOptions) print(path string, out, stderr io.Writer) error {
	var matching []consent.Decision
	for d, err := range audit.Read(path) {
		switch {
		case err != nil:
			fmt.Fprintln(stderr, "turnwire:", printable(err.Error()))
		case o.last > 0 && o.fits(d):
			if matching = append(matching, d); len(matching) > 2*o.last {
				matching = slices.Clone(matching[len(matching)-o.last:])
			}
		case o.fits(d):
			if err := o.line(out, d); err != nil {
				return err
			}
		}
	}
	for _, d := range matching[max(0, len(matching)-o.last):] {
		if err := o.line(out, d); err != nil {
			return err
		}
	}
	return nil
}

func (o *auditOptions) fits(d consent.Decision) bool {
	name, _, _ := strings.Cut(d.Agent, ":")
	return strings.HasPrefix(d.Session, o.session) && (o.agent == "" || o.agent == d.Agent || o.agent == name)
}

func (o *auditOptions) line(out io.Writer, d consent.Decision) error {
	if o.json {
		_, err := fmt.Fprintf(out, "%s\n", d.Line())
		return err
	}
	_, err := fmt.Fprintf(out, "%s  %s  %s  %s: %s\n", d.Time.Local().Format("2006-01-02 15:04:05"),
		printable(d.Session), printable(d.Agent), printable(about(d)), printable(d.Sentence()))
	return err
}

// about describes in a few words what a decision is about.
func about(d consent.Decision) string {
	what := d.Kind
	if d.Tool != "" {
		what += " by " + d.Tool
	}
	if d.Command != "" {
		return what + " " + d.Command
	}
	for i, p := range d.Paths {
		if inner, err := filepath.Rel(d.Cwd, p); err == nil && filepath.IsLocal(inner) {
			p = inner
		}
		if i == 3 {
			return what + " and more"
		}
		what += " " + p
	}
	return what
}
