package ahpmap

import (
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// ModeOption is the name of the option that represents the session's modes if the agent
// has modes but no options.
const ModeOption = "mode"

// modelCategory is the category of the option that selects the model.
const modelCategory = "model"

// Config returns the options of a session. It omits the model, which is chosen for each
// message.
func Config(options []v1.ConfigOption, modes *v1.SessionModeState) *ahp.SessionConfig {
	c := &ahp.SessionConfig{Schema: ahp.ConfigSchema{Type: "object", Properties: map[string]ahp.ConfigProperty{}}, Values: map[string]any{}}
	for _, o := range options {
		if o.Category == modelCategory {
			continue
		}
		p := ahp.ConfigProperty{Type: "string", Title: o.Name, Description: o.Description, SessionMutable: true}
		if o.Type == v1.ConfigBoolean {
			p.Enum, p.EnumLabels = []string{on, off}, []string{o.Name + ": on", o.Name + ": off"}
		}
		for _, choice := range choices(o) {
			p.Enum = append(p.Enum, choice.Value)
			p.EnumLabels = append(p.EnumLabels, choice.Name)
			p.EnumDescriptions = append(p.EnumDescriptions, choice.Description)
		}
		c.Schema.Properties[o.ID], c.Values[o.ID] = p, valueOf(o.CurrentValue)
	}
	if _, there := c.Values[ModeOption]; !there && modes != nil && len(options) == 0 {
		p := ahp.ConfigProperty{Type: "string", Title: "Mode", SessionMutable: true}
		for _, m := range modes.AvailableModes {
			p.Enum = append(p.Enum, m.ID)
			p.EnumLabels = append(p.EnumLabels, m.Name)
			p.EnumDescriptions = append(p.EnumDescriptions, m.Description)
		}
		c.Schema.Properties[ModeOption], c.Values[ModeOption] = p, modes.CurrentModeID
	}
	return c
}

// Models returns the available models, the id of the option that selects them, and the
// current model.
func Models(provider string, options []v1.ConfigOption) (models []ahp.Model, option, current string) {
	for _, o := range options {
		if o.Category != modelCategory || o.Type != v1.ConfigSelect {
			continue
		}
		for _, choice := range choices(o) {
			models = append(models, ahp.Model{ID: choice.Value, Provider: provider, Name: choice.Name})
		}
		return models, o.ID, o.CurrentValue.ID
	}
	return nil, "", ""
}

func choices(o v1.ConfigOption) []v1.ConfigChoice {
	all := o.Options.Flat
	for _, g := range o.Options.Groups {
		all = append(all, g.Options...)
	}
	return all
}

// The values of an option that is true or false. AHP has booleans, but VS Code shows them
// as "On" and "Off", without the option's name.
const (
	on  = "on"
	off = "off"
)

// Shown returns a value as clients see it.
func Shown(value any) any {
	switch value {
	case true:
		return on
	case false:
		return off
	}
	return value
}

// Value returns the value of an option for the agent.
func Value(o *v1.ConfigOption, shown any) any {
	if o.Type != v1.ConfigBoolean {
		return shown
	}
	switch shown {
	case on:
		return true
	case off:
		return false
	}
	return shown
}

func valueOf(v v1.ConfigValue) any {
	if v.Bool != nil {
		return Shown(*v.Bool)
	}
	return v.ID
}
