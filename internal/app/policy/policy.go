package policy

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// A Policy is a list of rules. A nil one has none. It is not changed while it is
// used.
type Policy struct{ entries []entry }

// An entry is what becomes of the calls that a rule matches.
type entry struct {
	verdict consent.Verdict
	match   matcher
	text    string
	at      string
	rest    bool // it is what becomes of all other calls
}

// Add adds a rule after all that there are. at is where it stands.
func (p *Policy) Add(r Rule, at string) error {
	e, err := r.entry()
	if err != nil {
		return err
	}
	e.at = at
	p.entries = append(p.entries, e)
	return nil
}

// Otherwise adds what becomes of all calls that no rule matches so far; "" is
// nothing, and what comes later decides.
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

// Allow adds rules that allow, after all that there are, as the command line has
// them: separated by commas.
func (p *Policy) Allow(list string) error {
	for text := range strings.SplitSeq(list, ",") {
		if err := p.Add(Rule{Allow: strings.TrimSpace(text)}, "--allow"); err != nil {
			return err
		}
	}
	return nil
}

// Append adds the rules of another policy, after all that there are.
func (p *Policy) Append(other *Policy) {
	if other != nil {
		p.entries = append(p.entries, other.entries...)
	}
}

// Insert adds the rules of another policy after the rules that there are, but before
// what becomes of all other calls.
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

// A Miss is a rule that does not match, and why.
type Miss struct {
	Rule string `json:"rule"`
	At   string `json:"at,omitempty"`
	Why  string `json:"why"`
}

// Explain is Judge, and says which rules do not match that come before the one
// that does.
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

// Len is how many rules there are.
func (p *Policy) Len() int {
	if p == nil {
		return 0
	}
	return len(p.entries)
}
