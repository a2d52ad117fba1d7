package wire

import (
	"encoding/json"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// settings holds the options that the agent has reported. Agents report one
// change in two ways, as a mode and as an option.
type settings struct {
	mode, model setting        // of agents with modes but no options
	options     []agent.Option // of other agents
}

type setting struct {
	current   string
	available []agent.Choice
}

// set updates a setting, and reports whether anything changed.
func (s *setting) set(current string, available []agent.Choice) bool {
	changed := current != s.current || available != nil && !slices.Equal(available, s.available)
	s.current = current
	if available != nil {
		s.available = available
	}
	return changed
}

// setMode updates the mode. If the mode is an option, the option lists the
// choices.
func (d *decoder) setMode(current string, available []agent.Choice) {
	switch o := d.settings.option(agent.OptionMode); {
	case current == "":
	case o == nil:
		if d.settings.mode.set(current, available) {
			d.say(&agent.ModeChanged{ModeID: current, Available: slices.Clone(d.settings.mode.available)})
		}
	case o.Value != agent.Chosen(current):
		o.Value = agent.Chosen(current)
		d.say(&agent.ModeChanged{ModeID: current})
	}
}

func (d *decoder) setModel(current string, available []agent.Choice) {
	switch o := d.settings.option(agent.OptionModel); {
	case current == "":
	case o == nil:
		if d.settings.model.set(current, available) {
			d.say(&agent.ModelChanged{ModelID: current, Available: slices.Clone(d.settings.model.available)})
		}
	case o.Value != agent.Chosen(current):
		o.Value = agent.Chosen(current)
		d.say(&agent.ModelChanged{ModelID: current})
	}
}

// option returns the option for the mode or the model, or nil.
func (s *settings) option(category string) *agent.Option {
	at := slices.IndexFunc(s.options, func(o agent.Option) bool { return o.Category == category && o.Kind == agent.Select })
	if at < 0 {
		return nil
	}
	return &s.options[at]
}

// currentMode also accepts the member modeId, which some clients read by
// mistake, so that some agents write it.
func (d *decoder) currentMode(raw []byte) error {
	var u struct {
		CurrentModeID string `json:"currentModeId"`
		ModeID        string `json:"modeId"`
	}
	if err := exactjson.Unmarshal(raw, &u); err != nil {
		return err
	}
	if u.CurrentModeID == "" {
		u.CurrentModeID = u.ModeID
	}
	d.setMode(u.CurrentModeID, nil)
	return nil
}

func (d *decoder) configOptions(raw []byte) error {
	var u struct {
		Options []json.RawMessage `json:"configOptions"`
	}
	if err := exactjson.Unmarshal(raw, &u); err != nil {
		return err
	}
	d.setOptions(u.Options)
	return nil
}

// state takes the settings from the response to session/new, and from responses
// to requests that change a setting. Options take precedence over modes.
func (d *decoder) state(result []byte) error {
	var r struct {
		Modes struct {
			Current   string `json:"currentModeId"`
			Available []struct {
				ID          string `json:"id"`
				Name        string `json:"name"`
				Description string `json:"description"`
			} `json:"availableModes"`
		} `json:"modes"`
		Models struct { // from agents that predate config options
			Current   string `json:"currentModelId"`
			Available []struct {
				ID          string `json:"modelId"`
				Name        string `json:"name"`
				Description string `json:"description"`
			} `json:"availableModels"`
		} `json:"models"`
		Options []json.RawMessage `json:"configOptions"`
	}
	if err := exactjson.Unmarshal(result, &r); err != nil {
		return err
	}
	if r.Options != nil {
		d.setOptions(r.Options)
	}
	var modes, models []agent.Choice
	for _, m := range r.Modes.Available {
		modes = append(modes, agent.Choice{ID: m.ID, Name: m.Name, Description: m.Description})
	}
	for _, m := range r.Models.Available {
		models = append(models, agent.Choice{ID: m.ID, Name: m.Name, Description: m.Description})
	}
	d.setMode(r.Modes.Current, modes)
	d.setModel(r.Models.Current, models)
	return nil
}
