package acpmap

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

// on and off are the choices for a client that does not support booleans.
const (
	on  = "on"
	off = "off"
)

// Config returns well-formed options as the client can show them.
func Config(options []agent.Option, c Client) []v1.ConfigOption {
	out := make([]v1.ConfigOption, 0, len(options))
	for _, o := range options {
		shown := v1.ConfigOption{ID: o.ID, Name: visible.Text(o.Name), Description: visible.Text(o.Description), Category: o.Category, Type: v1.ConfigSelect}
		switch {
		case o.Kind != agent.Boolean:
			shown.CurrentValue.ID = o.Value.Choice
			shown.Options = choices(&o)
		case c.Booleans:
			shown.Type = v1.ConfigBoolean
			shown.CurrentValue.Bool = &o.Value.On
		default:
			shown.CurrentValue.ID = off
			if o.Value.On {
				shown.CurrentValue.ID = on
			}
			shown.Options.Flat = []v1.ConfigChoice{{Value: on, Name: "On"}, {Value: off, Name: "Off"}}
		}
		out = append(out, shown)
	}
	return out
}

func choices(o *agent.Option) v1.ConfigChoices {
	list := func(choices []agent.Choice) []v1.ConfigChoice {
		out := make([]v1.ConfigChoice, 0, len(choices))
		for _, c := range choices {
			out = append(out, v1.ConfigChoice{Value: c.ID, Name: visible.Text(c.Name), Description: visible.Text(c.Description)})
		}
		return out
	}
	if len(o.Groups) == 0 {
		return v1.ConfigChoices{Flat: list(o.Choices)}
	}
	var out v1.ConfigChoices
	for _, g := range o.Groups {
		out.Groups = append(out.Groups, v1.ConfigGroup{Group: g.ID, Name: visible.Text(g.Name), Options: list(g.Choices)})
	}
	return out
}

// Value returns the value that a client chose for o. Clients without support for
// booleans choose between on and off.
func Value(o *agent.Option, v v1.ConfigValue) agent.Value {
	switch {
	case v.Bool != nil:
		return agent.Switched(*v.Bool)
	case o.Kind == agent.Boolean && (v.ID == on || v.ID == off):
		return agent.Switched(v.ID == on)
	}
	return agent.Chosen(v.ID)
}

// IsMode reports whether a well-formed option is the mode.
func IsMode(o agent.Option) bool { return o.Category == agent.OptionMode && o.Kind == agent.Select }

// Modes returns the modes for clients that support modes but not options, or nil if no
// option is the mode.
func Modes(options []agent.Option) *v1.SessionModeState {
	at := slices.IndexFunc(options, IsMode)
	if at < 0 {
		return nil
	}
	mode := &options[at]
	out := &v1.SessionModeState{CurrentModeID: mode.Value.Choice, AvailableModes: []v1.SessionMode{}}
	for c := range mode.Each {
		out.AvailableModes = append(out.AvailableModes, v1.SessionMode{ID: c.ID, Name: visible.Text(c.Name), Description: visible.Text(c.Description)})
	}
	return out
}

// config shows a change as a mode and as options, because clients support either.
func config(s normalize.Step, c Client) []v1.Update {
	var out []v1.Update
	if s.Mode != "" {
		out = append(out, &v1.CurrentModeUpdate{CurrentModeID: s.Mode})
	}
	if s.Changed.Has(normalize.FieldOptions) {
		out = append(out, &v1.ConfigOptionUpdate{ConfigOptions: Config(s.Options, c)})
	}
	return out
}
