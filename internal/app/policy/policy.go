package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// A Verdict is what a policy decides of a call.
type Verdict int

// The verdicts.
const (
	Ask   Verdict = iota // no rule matches
	Allow                // this once
	Deny
)

// A Call is what a policy looks at.
type Call struct {
	Kind    string   // as ACP names it
	Paths   []string // absolute
	Command string   // that is executed
	Dir     string   // the session's folder, absolute
}

// A Policy is a set of rules. A nil one has none.
type Policy struct {
	allow, deny []rule
	otherwise   Verdict
}

// Decide decides a call.
func (p *Policy) Decide(c Call) Verdict {
	switch {
	case p == nil:
		return Ask
	case slices.ContainsFunc(p.deny, func(r rule) bool { return r.denies(c) }):
		return Deny
	case slices.ContainsFunc(p.allow, func(r rule) bool { return r.allows(c) }):
		return Allow
	}
	return p.otherwise
}

// Allow adds rules that allow, as the command line has them: separated by commas.
func (p *Policy) Allow(list string) error {
	for text := range strings.SplitSeq(list, ",") {
		r, err := parse(text)
		if err != nil {
			return err
		}
		p.allow = append(p.allow, r)
	}
	return nil
}

// Read adds the rules of a file: a JSON object, in which comments and trailing
// commas are allowed.
//
//	{"allow": ["read", "edit:src/**"], "deny": ["edit:**/.env"], "default": "deny"}
//
// The default is what becomes of all other calls: ask or deny.
func (p *Policy) Read(text []byte) error {
	text, err := hujson.Standardize(text)
	if err != nil {
		return fmt.Errorf("the policy is not JSON: %w", err)
	}
	var members map[string]any
	if err := exactjson.Unmarshal(text, &members); err != nil {
		return fmt.Errorf("the policy is no JSON object: %w", err)
	}
	for name, value := range members {
		switch name {
		case "allow":
			err = appendRules(&p.allow, value)
		case "deny":
			err = appendRules(&p.deny, value)
		case "default":
			switch value {
			case "ask":
				p.otherwise = Ask
			case "deny":
				p.otherwise = Deny
			default:
				err = fmt.Errorf("it is ask or deny, not %v", value)
			}
		default:
			err = fmt.Errorf("there is no such member: allow, deny and default are known")
		}
		if err != nil {
			return fmt.Errorf("the policy: %s: %w", name, err)
		}
	}
	return nil
}

func appendRules(to *[]rule, value any) error {
	list, ok := value.([]any)
	if !ok {
		return fmt.Errorf("it is a list of rules, not %v", value)
	}
	for _, v := range list {
		text, ok := v.(string)
		if !ok {
			return fmt.Errorf("a rule is a string, not %v", v)
		}
		r, err := parse(text)
		if err != nil {
			return err
		}
		*to = append(*to, r)
	}
	return nil
}
