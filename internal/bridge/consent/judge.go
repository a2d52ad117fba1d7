package consent

import "slices"

// A Verdict is a judge's verdict on a call.
type Verdict int

// The verdicts, from the least to the most strict.
const (
	Allow Verdict = iota - 1 // allow it once
	Ask                      // let the user decide
	Deny
)

// String returns allow, ask or deny.
func (v Verdict) String() string {
	switch v {
	case Allow:
		return "allow"
	case Deny:
		return "deny"
	}
	return "ask"
}

// A Ruling is a verdict with the rule that it is based on.
type Ruling struct {
	Verdict Verdict
	Rule    string // the rule's text; "" if no rule matches
	At      string // where the rule is, such as a file and a line
}

// A Judge decides calls on the user's behalf. It must be safe for concurrent use, and
// fast; reading small local files is acceptable.
type Judge interface {
	Judge(c Call) Ruling
}

// An Option is an option that an agent offers.
type Option struct {
	ID   string
	Kind string // ACP's kind
	Name string // shown to the user
}

// The kinds of ACP options that a rule may choose.
const (
	allowOnce  = "allow_once"
	rejectOnce = "reject_once"
)

// Choose returns the option that a ruling selects. The zero option, with decided set,
// refuses. If decided is false, the user must be asked. A ruling allows a call only if
// exactly one option allows it once. Several such options would differ in meaning, and
// no rule says which one it means. An id that several options share is never chosen,
// because the agent may take it for another option.
func (r Ruling) Choose(options []Option) (chosen Option, decided bool) {
	switch r.Verdict {
	case Allow:
		found := 0
		for _, o := range options {
			if o.Kind == allowOnce && o.ID != "" {
				chosen = o
				found++
			}
			if isShared(o, options) {
				return Option{}, false
			}
		}
		if found != 1 {
			return Option{}, false
		}
		return chosen, true
	case Deny:
		for _, o := range options {
			if o.Kind == rejectOnce && o.ID != "" && !isShared(o, options) {
				return o, true
			}
		}
		return Option{}, true
	}
	return Option{}, false
}

// isShared reports whether another option has the id of o.
func isShared(o Option, options []Option) bool {
	return slices.ContainsFunc(options, func(other Option) bool { return other != o && other.ID == o.ID })
}

// maxJudged bounds the paths of a call that a judge checks.
const maxJudged = 1024

// Rule asks a judge, which may be nil, about a call. A call with more than maxJudged
// paths is never allowed.
func Rule(j Judge, c Call) Ruling {
	if j == nil {
		return Ruling{}
	}
	more := len(c.Paths) > maxJudged
	if more {
		c.Paths = c.Paths[:maxJudged]
	}
	r := j.Judge(c)
	if more && r.Verdict == Allow {
		return Ruling{}
	}
	return r
}
