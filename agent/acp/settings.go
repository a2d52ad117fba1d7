package acp

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// settings are the mode and the model, as far as they are known. Agents tell a
// change in two ways, which is one change.
type settings struct{ mode, model setting }

type setting struct {
	current   string
	available []agent.Choice
}

// set takes over what is said of a setting, and tells whether it is news.
func (s *setting) set(current string, available []agent.Choice) bool {
	news := current != s.current || available != nil && !slices.Equal(available, s.available)
	s.current = current
	if available != nil {
		s.available = available
	}
	return news && current != ""
}

func (d *decoder) setMode(current string, available []agent.Choice) {
	if d.settings.mode.set(current, available) {
		d.say(&agent.ModeChanged{ModeID: current, Available: slices.Clone(d.settings.mode.available)})
	}
}

func (d *decoder) setModel(current string, available []agent.Choice) {
	if d.settings.model.set(current, available) {
		d.say(&agent.ModelChanged{ModelID: current, Available: slices.Clone(d.settings.model.available)})
	}
}

// currentMode also knows the member that some clients read by mistake, and so
// some agents write.
func (d *decoder) currentMode(raw []byte) error {
	var u struct {
		CurrentModeID string `json:"currentModeId"`
		ModeID        string `json:"modeId"`
	}
	if err := json.Unmarshal(raw, &u); err != nil {
		return err
	}
	if u.CurrentModeID == "" {
		u.CurrentModeID = u.ModeID
	}
	d.setMode(u.CurrentModeID, nil)
	return nil
}

// wireOption is `SessionConfigOption`.
type wireOption struct {
	ID       string          `json:"id"`
	Category string          `json:"category"`
	Current  json.RawMessage `json:"currentValue"`
	Options  []struct {
		wireChoice
		Options []wireChoice `json:"options"` // of a group
	} `json:"options"`
}

type wireChoice struct {
	Value       string `json:"value"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

// choices are the option's values, those of groups in their order.
func (o *wireOption) choices() []agent.Choice {
	out := make([]agent.Choice, 0, len(o.Options))
	for _, one := range o.Options {
		for _, c := range append([]wireChoice{one.wireChoice}, one.Options...) {
			if c.Value != "" {
				out = append(out, agent.Choice{ID: c.Value, Name: c.Name, Description: c.Description})
			}
		}
	}
	return out
}

func (d *decoder) configOptions(raw []byte) error {
	var u struct {
		Options []json.RawMessage `json:"configOptions"`
	}
	if err := json.Unmarshal(raw, &u); err != nil {
		return err
	}
	d.options(u.Options)
	return nil
}

// options takes what an editor can show of the options; the others are for
// those who watch.
func (d *decoder) options(raws []json.RawMessage) {
	var others []byte
	for _, raw := range raws {
		var o wireOption
		var current string
		known := json.Unmarshal(raw, &o) == nil && json.Unmarshal(o.Current, &current) == nil
		switch {
		case known && o.Category == "mode":
			d.setMode(current, o.choices())
		case known && o.Category == "model":
			d.setModel(current, o.choices())
		default:
			others = append(append(others, ','), raw...)
		}
	}
	if others != nil {
		others[0] = '['
		d.say(&agent.Telemetry{Name: "config_option_update", Data: bytes.Clone(append(others, ']'))})
	}
}

// newSession takes over the settings that the answer to session/new holds.
func (d *decoder) newSession(result []byte) error {
	var r struct {
		Modes struct {
			Current   string `json:"currentModeId"`
			Available []struct {
				ID          string `json:"id"`
				Name        string `json:"name"`
				Description string `json:"description"`
			} `json:"availableModes"`
		} `json:"modes"`
		Models struct { // of agents from before there were config options
			Current   string `json:"currentModelId"`
			Available []struct {
				ID          string `json:"modelId"`
				Name        string `json:"name"`
				Description string `json:"description"`
			} `json:"availableModels"`
		} `json:"models"`
		Options []json.RawMessage `json:"configOptions"`
	}
	if err := json.Unmarshal(result, &r); err != nil {
		return err
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
	d.options(r.Options)
	return nil
}
