package consent

import "slices"

// A Verdict is what a judge says of a call.
type Verdict int

// The verdicts, the stricter the greater.
const (
	Allow Verdict = iota - 1 // this once
	Ask                      // the user decides
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

// A Ruling is a verdict, and the rule that it comes from.
type Ruling struct {
	Verdict Verdict
	Rule    string // its text; "" where no rule matches
	At      string // where it stands, such as a file and a line
}

// A Judge decides calls in the place of the user. It is safe for concurrent use,
// and must not take long: it may read small local files.
type Judge interface {
	Judge(c Call) Ruling
}

// An Option is one that an agent offers.
type Option struct {
	ID   string
	Kind string // as ACP names it
	Name string // as the user reads it
}

// The kinds of options that a rule may choose, of those that ACP has.
const (
	allowOnce  = "allow_once"
	rejectOnce = "reject_once"
)

// Choose returns the option that a ruling chooses; "" is none of them, and
// refuses. decided is false where the user has to be asked. To allow there has
// to be one option that allows once, no more: several mean different things, and
// which of them was meant no rule says. An id that several options share is never
// chosen, because the agent may take it for another option.
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

// maxJudged bounds the paths of a call that a judge looks at.
const maxJudged = 1024

// Rule asks a judge, which may be nil. A call that names more paths than can be
// looked at is not allowed.
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
