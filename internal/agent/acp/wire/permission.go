package wire

import (
	"encoding/json"
	"errors"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
)

// wirePermission is `RequestPermissionRequest`.
type wirePermission struct {
	ToolCall wireCall     `json:"toolCall"`
	Options  []wireChosen `json:"options"`
}

// wireChosen is `PermissionOption`.
type wireChosen struct {
	ID   string `json:"optionId"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// An offer is an option of a permission request, with the decision that it
// stands for.
type offer struct {
	id, name string
	decision agent.Decision
}

// Reasons why a permission can't be requested from the user.
var (
	errNoOffer = errors.New("none of its options can be chosen")
	errOneID   = errors.New("two of its options have the same ID")
)

// parsePermission returns the call that a permission request is about, and its
// options in the agent's order. It drops options of unknown kind, because
// their meaning would be a guess. It ignores other members with a wrong type.
//
// The error is a *json.UnmarshalTypeError or similar if m is malformed, or one
// of the above if nobody could answer the request.
func parsePermission(m jsonrpc.Message) (wireCall, []offer, error) {
	var p wirePermission
	malformed := unmarshal(m.Params, &p)
	if _, typed := errors.AsType[*json.UnmarshalTypeError](malformed); malformed != nil && !typed {
		return wireCall{}, nil, malformed
	}
	w := p.ToolCall
	if w.ID == "" {
		w.ID = label("permission", m.ID)
	}
	var offers []offer
	ids := make(map[string]bool)
	for _, o := range p.Options {
		if o.ID == "" {
			continue // an answer could not name it
		}
		if ids[o.ID] {
			return w, nil, errOneID
		}
		ids[o.ID] = true
		decision := agent.Decision(o.Kind)
		if !decision.Known() {
			continue
		}
		offers = append(offers, offer{o.ID, o.Name, decision})
	}
	switch {
	case len(offers) > 0:
		return w, offers, nil
	case malformed != nil:
		return w, nil, malformed
	}
	return w, nil, errNoOffer
}

// unanswerable reports whether err is about a well-formed request that nobody
// can answer.
func unanswerable(err error) bool { return errors.Is(err, errNoOffer) || errors.Is(err, errOneID) }

// permission asks the user. The request repeats the call's announcement, or is
// the announcement itself.
func (d *decoder) permission(m jsonrpc.Message) error {
	w, offers, err := parsePermission(m)
	if unanswerable(err) {
		d.say(&agent.Notice{
			Severity:    "warning",
			Message:     "The agent asked for a permission that cannot be given; the agent was told",
			Description: w.Title,
		})
		return nil
	}
	if err != nil {
		return err
	}
	d.echo.reset()
	c := d.calls.find(w.ID)
	if c == nil || c.state == done {
		c = d.calls.add(w.ID)
		d.calls.unclaimed = append(d.calls.unclaimed, c)
	}
	v, args, _ := c.describe(&w)
	about := parseContent(w.Content)
	if about.diffs != nil {
		v.Diffs = about.diffs
	}
	name := label("permission", m.ID)
	if len(m.ID) == 0 {
		name = "" // a notification, which expects no answer
	}
	e := &agent.ConfirmationRequested{ConfirmationID: name, ToolCallID: c.id, ToolName: c.name, Args: args, View: v}
	e.Reason, _ = about.text()
	for _, o := range offers {
		e.Options = append(e.Options, agent.ConfirmationOption{ID: o.id, Name: o.name, Kind: o.decision})
	}
	d.pose(m.ID, e, &agent.ConfirmationResolved{ConfirmationID: name, ToolCallID: c.id, Decision: agent.NotDecided})
	return nil
}
