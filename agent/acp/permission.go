package acp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// wirePermission is `RequestPermissionRequest`, with the members that Glue has
// where toolCall should be.
type wirePermission struct {
	SessionID string       `json:"sessionId"`
	ToolCall  *wireCall    `json:"toolCall"`
	Options   []wireChosen `json:"options"`

	ID    string `json:"toolCallId"`
	Title string `json:"title"`
	Kind  string `json:"kind"`
}

// wireChosen is `PermissionOption`.
type wireChosen struct {
	ID    string `json:"optionId"`
	Name  string `json:"name"`
	Label string `json:"label"`
	Kind  string `json:"kind"`
}

// An offer is an option of a permission request, and what choosing it means.
type offer struct {
	id, name string
	decision agent.Decision
}

// parsePermission gives the call that a permission request is about, and what
// can be chosen, at most one offer for each decision. An option of a kind that
// is not known is no offer: what it means would be a guess.
func parsePermission(m message, r Repairs) (wireCall, []offer, error) {
	var p wirePermission
	if err := unmarshal(m.params, &p); err != nil {
		return wireCall{}, nil, err
	}
	w := wireCall{ID: p.ID, Title: p.Title, Kind: p.Kind}
	if p.ToolCall != nil {
		w = *p.ToolCall
	}
	if w.ID == "" {
		w.ID = label("permission", m.id)
	}
	var offers []offer
	for _, o := range p.Options {
		decision := agent.Decision(o.Kind)
		if o.Kind == "" {
			decision = r.Options[o.ID]
		}
		switch decision {
		case agent.AllowOnce, agent.AllowAlways, agent.RejectOnce, agent.RejectAlways:
		default:
			continue
		}
		if slices.ContainsFunc(offers, func(have offer) bool { return have.decision == decision }) {
			continue
		}
		name := o.Name
		if name == "" {
			name = o.Label
		}
		offers = append(offers, offer{o.ID, name, decision})
	}
	return w, offers, nil
}

// meanings are what the decisions mean, in words.
var meanings = []struct {
	decision agent.Decision
	label    string   // what the person is shown
	usual    []string // the names of options that say no more
}{
	{agent.AllowOnce, "Allow", []string{"", "allow", "allow once", "yes"}},
	{agent.AllowAlways, "Always allow", []string{"", "always allow", "allow always"}},
	{agent.RejectOnce, "Reject", []string{"", "reject", "reject once", "deny", "no"}},
	{agent.RejectAlways, "Always reject", []string{"", "always reject", "reject always"}},
}

// permission asks the person. The request says of the call what its
// announcement said, or is the announcement itself.
func (d *decoder) permission(m message) error {
	w, offers, err := parsePermission(m, d.repairs)
	if err != nil {
		return err
	}
	if len(offers) == 0 {
		d.say(&agent.Notice{
			Severity:    "warning",
			Message:     "The agent asked for a permission that cannot be given; it was told so",
			Description: w.Title,
		})
		return nil
	}
	d.said.reset()
	c := d.calls.find(w.ID)
	if c == nil || c.state == over {
		c = d.calls.add(w.ID)
		d.calls.unclaimed = append(d.calls.unclaimed, c)
	}
	v, args, _ := d.describe(c, &w)
	about := parseContent(w.Content)
	if about.diffs != nil {
		v.Diffs = about.diffs
	}
	e := &agent.ConfirmationRequested{ToolCallID: c.id, ToolName: c.name, Args: args, View: v}
	e.Reason, _ = about.text()
	for _, o := range offers {
		e.Decisions = append(e.Decisions, o.decision)
		e.Reason = explain(e.Reason, o)
	}
	d.pose(m.id, c.id, e, &agent.ConfirmationResolved{ToolCallID: c.id, Decision: agent.NotDecided})
	return nil
}

// explain says in words what an option means whose name says more than its
// kind, for the person is shown the kinds.
func explain(reason string, o offer) string {
	name := strings.ToLower(strings.TrimSpace(o.name))
	for _, m := range meanings {
		if m.decision != o.decision || slices.Contains(m.usual, name) {
			continue
		}
		if reason != "" {
			reason += "\n"
		}
		reason += fmt.Sprintf("%q here means %q.", m.label, o.name)
	}
	return reason
}
