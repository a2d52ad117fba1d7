package consent

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// Who decided.
const (
	ByRule = "rule"
	ByUser = "user"
	// ByNobody means that the request was withdrawn, that no user was asked, or that
	// the answer was unusable.
	ByNobody = "nobody"
)

// What was decided.
const (
	Allowed = "allow"
	Denied  = "deny"
	// Undecided permits nothing.
	Undecided = "none"
)

// A Decision is the outcome of a permission request. Its JSON is a line of the audit
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
	// Cut is set if Paths or a text was truncated.
	Cut bool `json:"cut,omitempty"`

	Summary

	Reason string  `json:"reason,omitempty"`   // why nobody decided
	Client *Client `json:"frontEnd,omitempty"` // where the user answered
}

// A Summary is the part of a decision that clients receive. It omits the call, which
// they know, and where the user answered.
type Summary struct {
	Verdict string `json:"verdict"`          // allow, deny or none
	Option  string `json:"option,omitempty"` // the kind of the chosen option
	ID      string `json:"optionId,omitempty"`
	Name    string `json:"optionName,omitempty"`
	By      string `json:"by"` // rule, user or nobody
	Rule    string `json:"rule,omitempty"`
	At      string `json:"at,omitempty"` // where the rule is, such as a file and a line
	// Partial means that the user allowed only a part of the call's changes.
	Partial bool `json:"partial,omitempty"`
}

// A Client identifies the client in which a user answers. Unknown fields are empty.
type Client struct {
	Name      string `json:"name,omitempty"`      // the client's own name
	ID        string `json:"client,omitempty"`    // its id in a server
	Token     string `json:"token,omitempty"`     // the name of its token
	Remote    string `json:"remote,omitempty"`    // its address
	Transport string `json:"transport,omitempty"` // stdio, websocket or http
	// Watches is set if the client's token only permits it to watch open sessions.
	Watches bool `json:"-"`
}

// Place is the name by which other clients know where the user answered: the token's,
// because users name tokens after devices, or the client's own. It is "" for a client that
// has the session for itself.
func (f *Client) Place() string {
	if f == nil || f.Transport == "stdio" {
		return ""
	}
	return cmp.Or(f.Token, f.Name)
}

// ParseClient decodes a Client. It returns nil if raw is not a valid one.
func ParseClient(raw []byte) *Client {
	var f Client
	if len(raw) == 0 || raw[0] != '{' || exactjson.Unmarshal(raw, &f) != nil {
		return nil
	}
	return &f
}

// AnsweredBy is the member of _meta in which another server says who answered a
// permission request. Its value is a [Client]. It is only trusted from other servers.
const AnsweredBy = "turnwire.dev/answeredBy"

// Unasked is the member of _meta in which an answer says why the user was not asked. It
// is only trusted if the answer permits nothing.
const Unasked = "turnwire.dev/unasked"

// DecidedBy is the member of _meta in which an update of a tool call reports the
// decision about it. In a live update it is a [Decision], sent only if a rule decided.
// In a replayed update it is a [Summary], for users' decisions too.
const DecidedBy = "turnwire.dev/decision"

const (
	maxText  = 4 << 10 // of each text in a decision, in bytes
	maxPaths = 32
)

// Of returns the undecided decision about a call.
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

// bound truncates a text that is too long for a line.
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

// Ruled returns the decision after a rule chose an option.
func (d Decision) Ruled(r Ruling, o Option) Decision {
	d.By, d.Rule, d.At = ByRule, r.Rule, r.At
	d.choose(o)
	d.Verdict = Denied
	if r.Verdict == Allow {
		d.Verdict = Allowed
	}
	return d
}

// Answered returns the decision after a user chose an option. The zero option means
// that none was chosen.
func (d Decision) Answered(o Option, by *Client) Decision {
	d.By, d.Client = ByUser, by
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

// InPart returns the decision, which allows only a part of the call's changes if partial is
// set. It changes nothing if the decision doesn't permit the call.
func (d Decision) InPart(partial bool) Decision {
	d.Partial = partial && d.Verdict == Allowed
	return d
}

// Unasked returns the decision for a user who was not asked, for the given reason. It
// changes nothing if the reason is "" or if the decision permits the call: a claimed
// reason cannot hide a user's consent.
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

// Open returns the decision for a request that nobody answered, with the reason.
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

// Line returns the decision as one line of JSON, without a newline.
func (d Decision) Line() []byte {
	line, err := json.Marshal(d)
	if err != nil { // only possible for a year after 9999
		return []byte(`{"verdict":"none","by":"nobody"}`)
	}
	return line
}

// Sentence describes in a few words who decided, and what.
func (d Decision) Sentence() string {
	var b strings.Builder
	switch d.Verdict {
	case Allowed:
		b.WriteString("allowed")
		if d.Partial {
			b.WriteString(" in part")
		}
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
		if f := d.Client; f != nil && f.where() != "" {
			b.WriteString(" in " + f.where())
		}
	case d.Reason != "":
		b.WriteString(": " + d.Reason)
	}
	return b.String()
}

// where describes the client in a few words.
func (f *Client) where() string {
	var parts []string
	for _, part := range []struct{ before, text string }{{"", f.Name}, {"token ", f.Token}, {"", f.Remote}} {
		if part.text != "" {
			parts = append(parts, part.before+part.text)
		}
	}
	return strings.Join(parts, ", ")
}
