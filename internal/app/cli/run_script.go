package cli

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/policy"
	"github.com/turnwire/turnwire/internal/app/terminal"
)

// scriptOptions are the flags of a run that nobody watches.
type scriptOptions struct {
	timeout                 time.Duration
	quiet                   bool
	attach, images, answers []string
	allow                   []string
	policy, record          string
}

func (o *scriptOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.DurationVar(&o.timeout, "timeout", 0, "cancel the turn after a `TIME` such as 90s or 10m; the exit code is 1 then")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print the answer alone")
	f.StringArrayVar(&o.attach, "attach", nil, "send `FILE` with the prompt: its text, or a link to it; may be repeated")
	f.StringArrayVar(&o.images, "image", nil, "show the agent the image in `FILE`; may be repeated")
	f.StringArrayVar(&o.answers, "answer", nil, "answer the next question with `TEXT`, or its field NAME with NAME=TEXT; may be repeated")
	f.StringArrayVar(&o.allow, "allow", nil, "allow calls that fit one of the `RULES`, separated by commas; may be repeated")
	f.StringVar(&o.policy, "policy", "", "allow and deny calls by the rules in `FILE`")
	f.StringVar(&o.record, "record", "", "write the events of the turn to `FILE`, which --replay reads")
	for _, name := range []string{"attach", "image", "policy", "record"} {
		_ = cmd.MarkFlagFilename(name)
	}
}

// check reports what cannot be meant.
func (o *scriptOptions) check(asJSON bool) error {
	switch {
	case o.quiet && asJSON:
		return usagef("--quiet and --json exclude each other")
	case o.timeout < 0:
		return usagef("--timeout must not be negative")
	}
	return nil
}

func (o *scriptOptions) apply(to *terminal.Options) error {
	to.Timeout, to.Quiet = o.timeout, o.quiet
	to.Attach, to.Images, to.Answers = o.attach, o.images, o.answers
	if len(o.allow) == 0 && o.policy == "" {
		return nil
	}
	p := new(policy.Policy)
	for _, rules := range o.allow {
		if err := p.Allow(rules); err != nil {
			return usagef("--allow: %v", err)
		}
	}
	if o.policy != "" {
		text, err := os.ReadFile(o.policy)
		if err != nil {
			return fmt.Errorf("--policy: %w", err)
		}
		if err := p.Read(text); err != nil {
			return fmt.Errorf("--policy %s: %w", o.policy, err)
		}
	}
	to.Policy = p
	return nil
}
