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

// An offer is an option of a permission request, and what choosing it means.
type offer struct {
	id, name string
	decision agent.Decision
}

// Reasons for which a permission cannot be asked for.
var (
	errNoOffer = errors.New("it offers nothing that can be chosen")
	errOneID   = errors.New("two of its options have one id")
)

// parsePermission gives the call that a permission request is about, and what
// can be chosen, in the agent's order. An option of a kind that
// is not known is no offer: what it means would be a guess. What else is of
// another type than it should be is left out.
//
// The error is a *json.UnmarshalTypeError and the like where it is no request,
// and one of the above where it is one that nobody can answer.
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
			continue // it cannot be named
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

// unanswerable reports whether err is that of a request which is well-formed.
func unanswerable(err error) bool { return errors.Is(err, errNoOffer) || errors.Is(err, errOneID) }

// permission asks the user. The request says of the call what its
// announcement said, or is the announcement itself.
func (d *decoder) permission(m jsonrpc.Message) error {
	w, offers, err := parsePermission(m)
	if unanswerable(err) {
		d.say(&agent.Notice{
			Severity:    "warning",
			Message:     "The agent asked for a permission that cannot be given; it was told so",
			Description: w.Title,
		})
		return nil
	}
	if err != nil {
		return err
	}
	d.echo.reset()
	c := d.calls.find(w.ID)
	if c == nil || c.state == over {
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
		name = "" // a notification, which nobody answers
	}
	e := &agent.ConfirmationRequested{ConfirmationID: name, ToolCallID: c.id, ToolName: c.name, Args: args, View: v}
	e.Reason, _ = about.text()
	for _, o := range offers {
		e.Options = append(e.Options, agent.ConfirmationOption{ID: o.id, Name: o.name, Kind: o.decision})
	}
	d.pose(m.ID, e, &agent.ConfirmationResolved{ConfirmationID: name, ToolCallID: c.id, Decision: agent.NotDecided})
	return nil
}
