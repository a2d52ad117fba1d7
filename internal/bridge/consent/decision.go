package consent

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// Who has decided.
const (
	ByRule = "rule"
	ByUser = "user"
	// ByNobody is a request that was withdrawn, that no user was asked, or whose
	// answer cannot be used.
	ByNobody = "nobody"
)

// What was decided.
const (
	Allowed = "allow"
	Denied  = "deny"
	// Undecided permits nothing.
	Undecided = "none"
)

// A Decision says how a request for permission ended. Its JSON is a line of the audit
// file and a record in the session's journal.
type Decision struct {
	Time    time.Time `json:"time"`
	Session string    `json:"session"`
	Agent   string    `json:"agent,omitempty"`
	Cwd     string    `json:"cwd,omitempty"`
	Call    string    `json:"toolCallId,omitempty"`
	Tool    string    `json:"tool,omitempty"`
	Kind    string    `json:"kind,omitempty"`
	Paths   []string  `json:"paths,omitempty"`
	Command string    `json:"command,omitempty"`
	// Cut says that Paths or Command are longer than they are here.
	Cut bool `json:"cut,omitempty"`

	Summary

	Reason   string    `json:"reason,omitempty"`   // why nobody has decided
	FrontEnd *FrontEnd `json:"frontEnd,omitempty"` // that the user has answered in
}

// A Summary is what clients are told of the decision about a call: neither the call,
// which they know, nor where the user answered.
type Summary struct {
	Verdict string `json:"verdict"`          // allow, deny or none
	Option  string `json:"option,omitempty"` // the kind of the option that was chosen
	ID      string `json:"optionId,omitempty"`
	Name    string `json:"optionName,omitempty"`
	By      string `json:"by"` // rule, user or nobody
	Rule    string `json:"rule,omitempty"`
	At      string `json:"at,omitempty"` // where the rule is, such as a file and a line
}

// A FrontEnd is where a user answers. What is not known is empty.
type FrontEnd struct {
	Name      string `json:"name,omitempty"`      // as the client calls itself
	Client    string `json:"client,omitempty"`    // its id in a server
	Token     string `json:"token,omitempty"`     // the name of the token that it has
	Remote    string `json:"remote,omitempty"`    // its address
	Transport string `json:"transport,omitempty"` // stdio, websocket or http
	// Watches says that its token lets it see sessions that are open, and do nothing.
	Watches bool `json:"-"`
}

// ParseFrontEnd reads a front end. It returns nil if raw is no valid one.
func ParseFrontEnd(raw []byte) *FrontEnd {
	var f FrontEnd
	if len(raw) == 0 || raw[0] != '{' || exactjson.Unmarshal(raw, &f) != nil {
		return nil
	}
	return &f
}

// AnsweredBy is the member of _meta in which another server says who answered a request
// for permission: a [FrontEnd]. Only other servers are believed.
const AnsweredBy = "turnwire.dev/answeredBy"

// Unasked is the member of _meta in which an answer says why the user was not asked.
// It is believed of what permits nothing.
const Unasked = "turnwire.dev/unasked"

// DecidedBy is the member of _meta in which an update of a tool call says what was
// decided about it: a [Decision] in a live update, if a rule decided, and a [Summary]
// in a replayed one, if anyone did.
const DecidedBy = "turnwire.dev/decision"

const (
	maxText  = 4 << 10 // of a text in a decision, in bytes
	maxPaths = 32
)

// Of returns the decision of a call that nobody has decided yet.
func Of(c Call, at time.Time) Decision {
	d := Decision{
		Time: at.UTC().Truncate(time.Millisecond), Session: c.Session, Agent: c.Agent, Cwd: c.Dir,
		Call: c.ID, Tool: c.Tool, Kind: c.Kind, Command: c.Command, Summary: Summary{Verdict: Undecided, By: ByNobody},
	}
	for _, text := range []*string{&d.Session, &d.Agent, &d.Cwd, &d.Call, &d.Tool, &d.Kind, &d.Command} {
		d.bound(text)
	}
	for _, p := range c.Paths {
		if len(d.Paths) == maxPaths {
			d.Cut = true
			break
		}
		d.bound(&p)
		d.Paths = append(d.Paths, p)
	}
	return d
}

// bound cuts a text that is too long for a line.
func (d *Decision) bound(text *string) {
	if len(*text) <= maxText {
		return
	}
	cut := maxText
	for cut > 0 && !utf8.RuneStart((*text)[cut]) {
		cut--
	}
	*text, d.Cut = (*text)[:cut], true
}

// Ruled is the decision with what a rule has chosen.
func (d Decision) Ruled(r Ruling, o Option) Decision {
	d.By, d.Rule, d.At = ByRule, r.Rule, r.At
	d.choose(o)
	d.Verdict = Denied
	if r.Verdict == Allow {
		d.Verdict = Allowed
	}
	return d
}

// Answered is the decision with what a user has chosen; the zero option is none.
func (d Decision) Answered(o Option, by *FrontEnd) Decision {
	d.By, d.FrontEnd = ByUser, by
	d.choose(o)
	switch {
	case o.ID == "":
		d.Verdict = Undecided
	case strings.HasPrefix(o.Kind, "allow_"):
		d.Verdict = Allowed
	default:
		d.Verdict = Denied
	}
	return d
}

// Unasked is the decision if the user was not asked for it, and why. A reason of ""
// changes nothing, and no reason takes the consent of a user from an answer that
// permits something.
func (d Decision) Unasked(reason string) Decision {
	if reason == "" || d.Verdict == Allowed {
		return d
	}
	d.By = ByNobody
	return d.Open(reason)
}

func (d *Decision) choose(o Option) {
	d.Option, d.ID, d.Name = o.Kind, o.ID, o.Name
	d.bound(&d.ID)
	d.bound(&d.Name)
}

// Open is the decision of a request that nobody has answered, and why.
func (d Decision) Open(reason string) Decision {
	d.Reason = reason
	d.bound(&d.Reason)
	return d
}

// Parse reads a decision that [Decision.Line] wrote.
func Parse(line []byte) (d Decision, err error) {
	err = exactjson.Unmarshal(line, &d)
	return d, err
}

// Line is the decision as one line of JSON, without its end.
func (d Decision) Line() []byte {
	line, err := json.Marshal(d)
	if err != nil { // a time of the year 10000
		return []byte(`{"verdict":"none","by":"nobody"}`)
	}
	return line
}

// Sentence says in a few words who has decided, and what.
func (d Decision) Sentence() string {
	var b strings.Builder
	switch d.Verdict {
	case Allowed:
		b.WriteString("allowed")
	case Denied:
		b.WriteString("denied")
	default:
		b.WriteString("not decided")
	}
	switch {
	case d.By == ByRule:
		b.WriteString(" by the rule " + d.Rule)
		if d.At != "" {
			b.WriteString(" (" + d.At + ")")
		}
	case d.By == ByUser:
		b.WriteString(" by the user")
		if f := d.FrontEnd; f != nil && f.where() != "" {
			b.WriteString(" in " + f.where())
		}
	case d.Reason != "":
		b.WriteString(": " + d.Reason)
	}
	return b.String()
}

// where is the front end in a few words.
func (f *FrontEnd) where() string {
	var parts []string
	for _, part := range []struct{ before, text string }{{"", f.Name}, {"token ", f.Token}, {"", f.Remote}} {
		if part.text != "" {
			parts = append(parts, part.before+part.text)
		}
	}
	return strings.Join(parts, ", ")
}
