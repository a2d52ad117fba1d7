package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/policy"
	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// The exit codes of "policy test" for a call that is not allowed.
const (
	exitDenied = 3
	exitAsked  = 4
)

func newPolicy(*logOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Test permission rules",
		Long: `Test permission rules against a tool call, or validate a rules file. The rules are
in turnwire.json, under "policy".`,
		Example: examples(
			"turnwire policy test --kind edit --path src/main.go",
			"turnwire policy test --agent ethos --command 'go test ./...'",
			"turnwire policy check ci-policy.json",
		),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPolicyTest(), newPolicyCheck())
	return cmd
}

// testOptions describe the call to test.
type testOptions struct {
	agent  agentOptions
	dir    string
	policy string
	paths  []string
	call   consent.Call
	json   bool
}

func newPolicyTest() *cobra.Command {
	o := testOptions{agent: agentOptions{dialect: dialectAuto}}
	cmd := &cobra.Command{
		Use:   "test [flags]",
		Short: "Show which rule decides a tool call, and why",
		Long: `Show the outcome of a tool call that an agent would ask permission for: which rule
decides, where the rule is defined, and why the rules before it don't match.
Nothing is run.

Describe the call as the agent would: its kind, paths, command and tool. With
--command, the kind defaults to execute.

Exit codes: 0 allowed, 3 denied, 4 you would be asked, 1 the policy cannot be
read, 2 wrong command line.`,
		Example: examples(
			"turnwire policy test --kind edit --path src/main.go",
			"turnwire policy test --agent ethos --command 'go test ./...'",
			"turnwire policy test --policy ci-policy.json --kind fetch --json",
		),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			verdict, err := o.run(cmd.OutOrStdout())
			switch {
			case err != nil:
				return err
			case verdict == consent.Deny:
				return exitError{code: exitDenied}
			case verdict == consent.Ask:
				return exitError{code: exitAsked}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.agent.name, "agent", "a", "", "the agent `NAME` makes the call")
	f.StringVar(&o.dir, "dir", ".", "the session's folder `DIR`")
	f.StringVar(&o.call.Session, "session", "", "the session `ID`")
	f.StringVar(&o.call.Tool, "tool", "", "the tool `NAME`")
	f.StringVar(&o.call.Kind, "kind", "", "the `KIND` of call: read, edit, delete, move, search, execute, think, fetch, switch_mode or other")
	f.StringArrayVar(&o.paths, "path", nil, "the file `PATH`, relative to the folder; may be repeated")
	f.StringVar(&o.call.Command, "command", "", "the command `TEXT`")
	f.StringVar(&o.policy, "policy", "", "apply the rules in `FILE` first, as \"turnwire run\" does")
	f.BoolVar(&o.json, "json", false, "print a JSON object")
	o.agent.addConfig(cmd)
	_ = cmd.MarkFlagFilename("policy")
	_ = cmd.MarkFlagDirname("dir")
	_ = cmd.RegisterFlagCompletionFunc("agent", o.agent.completeName)
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(policy.Kinds(), cobra.ShellCompDirectiveNoFileComp))
	for _, name := range []string{"session", "tool", "command"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return cmd
}

// tested is the output of "policy test --json".
type tested struct {
	Verdict string        `json:"verdict"`
	Rule    string        `json:"rule,omitempty"` // absent if no rule matches
	At      string        `json:"at,omitempty"`
	Before  []policy.Miss `json:"before"`
}

func (o *testOptions) run(out io.Writer) (consent.Verdict, error) {
	dir, err := filepath.Abs(o.dir)
	if err != nil {
		return consent.Ask, err
	}
	c := o.call
	c.Agent, c.Dir = o.agent.name, dir
	if c.Kind == "" && c.Command != "" {
		c.Kind = "execute"
	}
	if c.Kind != "" && !policy.IsKind(c.Kind) {
		return consent.Ask, usagef("--kind: unknown kind %q", c.Kind)
	}
	for _, p := range o.paths {
		c.AddPath(p)
	}
	var first *policy.Policy
	if o.policy != "" {
		if first, err = config.ReadPolicy(o.policy); err != nil {
			return consent.Ask, err
		}
	}
	judge, err := o.agent.judge(first)
	if err != nil {
		return consent.Ask, err
	}
	r, missed := judge.Explain(c)
	printed := tested{Verdict: r.Verdict.String(), Rule: r.Rule, At: r.At, Before: append([]policy.Miss{}, missed...)}
	if o.json {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return r.Verdict, e.Encode(printed)
	}
	return r.Verdict, printed.print(out)
}

func (t tested) print(out io.Writer) error {
	fmt.Fprintln(out, t.Verdict)
	if t.Rule == "" {
		fmt.Fprintln(out, "  no rule matches: this is the default")
	} else {
		fmt.Fprintln(out, "  by the rule "+printable(place(t.Rule, t.At)))
	}
	if len(t.Before) > 0 {
		fmt.Fprintln(out, "rules that did not match:")
	}
	for _, m := range t.Before {
		if _, err := fmt.Fprintln(out, "  "+printable(place(m.Rule, m.At)+": "+m.Why)); err != nil {
			return err
		}
	}
	return nil
}

// place returns a rule with its position.
func place(rule, at string) string {
	if at == "" {
		return rule
	}
	return rule + " (" + at + ")"
}

func newPolicyCheck() *cobra.Command {
	return &cobra.Command{
		Use:     "check FILE",
		Short:   "Validate a rules file",
		Long:    `Validate a rules file, such as the one that "turnwire run" reads with --policy.`,
		Example: examples("turnwire policy check ci-policy.json"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name the rules file: turnwire policy check FILE")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := config.ReadPolicy(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is valid: rules: %d\n", printable(args[0]), p.Len())
			return err
		},
	}
}
