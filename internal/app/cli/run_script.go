package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/policy"
	"github.com/turnwire/turnwire/internal/app/terminal"
)

// scriptOptions are the flags for unattended runs.
type scriptOptions struct {
	timeout                 time.Duration
	quiet, plain            bool
	attach, images, answers []string
	allow                   []string
	policy, record          string
}

func (o *scriptOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.DurationVar(&o.timeout, "timeout", 0, "cancel the turn after `TIME`, such as 90s or 10m, with exit code 1")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only the final answer")
	addPlain(cmd, &o.plain)
	f.StringArrayVar(&o.attach, "attach", nil, "attach `FILE` to the prompt; may be repeated")
	f.StringArrayVar(&o.images, "image", nil, "attach the image `FILE` to the prompt; may be repeated")
	f.StringArrayVar(&o.answers, "answer", nil, "answer the next question with `TEXT`, or a form field with NAME=TEXT; may be repeated")
	f.StringArrayVar(&o.allow, "allow", nil, "allow calls that match `RULES`, separated by commas; may be repeated")
	f.StringVar(&o.policy, "policy", "", "apply the permission rules in `FILE`")
	f.StringVar(&o.record, "record", "", "record the turn's events in `FILE`, for --replay")
	for _, name := range []string{"attach", "image", "policy", "record"} {
		_ = cmd.MarkFlagFilename(name)
	}
}

// addPlain adds the --plain flag for commands that show an agent's messages.
func addPlain(cmd *cobra.Command, plain *bool) {
	cmd.Flags().BoolVar(plain, "plain", false, "print raw Markdown even in a terminal")
}

// check rejects invalid combinations of flags.
func (o *scriptOptions) check(asJSON bool) error {
	switch {
	case o.quiet && asJSON:
		return usagef("--quiet and --json cannot be used together")
	case o.timeout < 0:
		return usagef("--timeout must not be negative")
	}
	return nil
}

func (o *scriptOptions) apply(to *terminal.Options) error {
	to.Timeout, to.Quiet, to.Plain = o.timeout, o.quiet, o.plain
	to.Attach, to.Images, to.Answers = o.attach, o.images, o.answers
	return nil
}

// rules returns the command line's rules, which come before all others.
func (o *scriptOptions) rules() (*policy.Policy, error) {
	allowed := new(policy.Policy)
	for _, rules := range o.allow {
		if err := allowed.Allow(rules); err != nil {
			return nil, usagef("--allow: %v", err)
		}
	}
	if o.policy == "" {
		return allowed, nil
	}
	p, err := config.ReadPolicy(o.policy)
	if err != nil {
		return nil, fmt.Errorf("--policy: %w", err)
	}
	p.Insert(allowed)
	return p, nil
}
