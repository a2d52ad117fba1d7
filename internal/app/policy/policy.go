package policy

import (
	"errors"
	"fmt"
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

// A Policy is a list of rules. A nil one has none.
type Policy struct {
	rules     []decision
	otherwise Verdict
}

// A decision is what becomes of the calls that a rule matches.
type decision struct {
	verdict Verdict
	rule    rule
}

// Decide decides a call, by the first rule that matches it.
func (p *Policy) Decide(c Call) Verdict {
	if p == nil {
		return Ask
	}
	for _, d := range p.rules {
		if d.verdict == Allow && d.rule.covers(c) || d.verdict != Allow && d.rule.touches(c) {
			return d.verdict
		}
	}
	return p.otherwise
}

// Allow adds rules that allow, after all that there are, as the command line has
// them: separated by commas.
func (p *Policy) Allow(list string) error {
	for text := range strings.SplitSeq(list, ",") {
		r, err := parse(text)
		if err != nil {
			return err
		}
		p.rules = append(p.rules, decision{Allow, r})
	}
	return nil
}

// verdicts are the names of verdicts in a file.
var verdicts = map[string]Verdict{"ask": Ask, "allow": Allow, "deny": Deny}

// Read adds the rules of a file: a JSON object, in which comments and trailing
// commas are allowed.
//
//	{"rules": [{"deny": "edit:**/.env"}, {"allow": "read"}, {"allow": "edit:src/**"}], "default": "deny"}
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
		case "rules":
			err = p.add(value)
		case "default":
			verdict, ok := verdicts[fmt.Sprint(value)]
			if !ok || verdict == Allow {
				err = fmt.Errorf("it is ask or deny, not %v", value)
			}
			p.otherwise = verdict
		default:
			err = errors.New("there is no such member: rules and default are known")
		}
		if err != nil {
			return fmt.Errorf("the policy: %s: %w", name, err)
		}
	}
	return nil
}

func (p *Policy) add(value any) error {
	list, ok := value.([]any)
	if !ok {
		return fmt.Errorf("it is a list, not %v", value)
	}
	for i, v := range list {
		object, _ := v.(map[string]any)
		if len(object) != 1 {
			return fmt.Errorf(`rule %d: it is an object such as {"allow": "read"}`, i+1)
		}
		for name, value := range object {
			verdict, known := verdicts[name]
			text, ok := value.(string)
			if !known || !ok {
				return fmt.Errorf("rule %d: allow, ask or deny is a rule such as edit:src/**", i+1)
			}
			r, err := parse(text)
			if err != nil {
				return fmt.Errorf("rule %d: %w", i+1, err)
			}
			p.rules = append(p.rules, decision{verdict, r})
		}
	}
	return nil
}
