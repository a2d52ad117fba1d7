package policy

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// A Policy is a list of rules. A nil Policy has no rules. A Policy must not be changed
// while it is in use.
type Policy struct{ entries []entry }

// An entry is the verdict for the calls that a rule matches.
type entry struct {
	verdict consent.Verdict
	match   matcher
	text    string
	at      string
	rest    bool // a default for all other calls
}

// Add appends a rule. at is its position, for messages.
func (p *Policy) Add(r Rule, at string) error {
	e, err := r.entry()
	if err != nil {
		return err
	}
	e.at = at
	p.entries = append(p.entries, e)
	return nil
}

// Otherwise adds the default verdict for calls that no earlier rule matches. If verdict
// is "", later rules decide.
func (p *Policy) Otherwise(verdict, at string) error {
	if verdict == "" {
		return nil
	}
	if err := CheckDefault(verdict); err != nil {
		return err
	}
	e := entry{verdict: consent.Ask, match: matcher{kind: anything}, text: "default " + verdict, at: at, rest: true}
	if verdict == consent.Deny.String() {
		e.verdict = consent.Deny
	}
	p.entries = append(p.entries, e)
	return nil
}

// Allow appends rules that allow, in the command line's format: separated by commas.
func (p *Policy) Allow(list string) error {
	for text := range strings.SplitSeq(list, ",") {
		if err := p.Add(Rule{Allow: strings.TrimSpace(text)}, "--allow"); err != nil {
			return err
		}
	}
	return nil
}

// Append appends the rules of another policy.
func (p *Policy) Append(other *Policy) {
	if other != nil {
		p.entries = append(p.entries, other.entries...)
	}
}

// Insert inserts the rules of another policy after the existing rules, but before the
// default.
func (p *Policy) Insert(other *Policy) {
	end := len(p.entries)
	for end > 0 && p.entries[end-1].rest {
		end--
	}
	p.entries = slices.Insert(p.entries, end, other.entries...)
}

// Judge implements [consent.Judge].
func (p *Policy) Judge(c consent.Call) consent.Ruling {
	r, _ := p.Explain(c)
	return r
}

// A Miss is a rule that doesn't match, and the reason.
type Miss struct {
	Rule string `json:"rule"`
	At   string `json:"at,omitempty"`
	Why  string `json:"why"`
}

// Explain is like Judge, and also returns the rules before the matching one, which don't
// match.
func (p *Policy) Explain(c consent.Call) (r consent.Ruling, missed []Miss) {
	if p == nil {
		return r, nil
	}
	if c.Kind == "" {
		c.Kind = consent.DefaultKind
	}
	for _, e := range p.entries {
		why := e.match.miss(c, e.verdict == consent.Allow)
		if why == "" {
			return consent.Ruling{Verdict: e.verdict, Rule: e.text, At: e.at}, missed
		}
		missed = append(missed, Miss{e.text, e.at, why})
	}
	return r, missed
}

// Len returns the number of rules.
func (p *Policy) Len() int {
	if p == nil {
		return 0
	}
	return len(p.entries)
}
