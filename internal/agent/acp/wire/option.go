package wire

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// wireOption is `SessionConfigOption`.
type wireOption struct {
	ID          string      `json:"id"`
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Category    string      `json:"category"`
	Type        string      `json:"type"`
	Current     agent.Value `json:"currentValue"`
	Options     []struct {
		wireChoice
		Group   string       `json:"group"`
		Options []wireChoice `json:"options"`
	} `json:"options"`
}

type wireChoice struct {
	Value       string `json:"value"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

func (c wireChoice) choice() agent.Choice {
	return agent.Choice{ID: c.Value, Name: c.Name, Description: c.Description}
}

var errNoOption = errors.New("it cannot be chosen")

// parseOption converts an option. Its type may be missing.
func parseOption(raw []byte) (agent.Option, error) {
	var w wireOption
	if err := exactjson.Unmarshal(raw, &w); err != nil {
		return agent.Option{}, err
	}
	o := agent.Option{ID: w.ID, Name: w.Name, Description: w.Description, Category: w.Category, Kind: agent.Select, Value: w.Current}
	if w.Current.Boolean {
		o.Kind = agent.Boolean
	}
	if w.ID == "" || w.Type != "" && w.Type != string(o.Kind) || o.Value == (agent.Value{}) {
		return o, errNoOption
	}
	for _, entry := range w.Options {
		if entry.Value != "" {
			o.Choices = append(o.Choices, entry.choice())
			continue
		}
		group := agent.ChoiceGroup{ID: entry.Group, Name: entry.Name}
		for _, c := range entry.Options {
			group.Choices = append(group.Choices, c.choice())
		}
		o.Groups = append(o.Groups, group)
	}
	return o, nil
}

// setOptions replaces the whole list. Entries that can't be decoded become
// telemetry.
func (d *decoder) setOptions(raws []json.RawMessage) {
	var others []byte
	options := make([]agent.Option, 0, len(raws))
	for _, raw := range raws {
		o, err := parseOption(raw)
		if err != nil {
			others = append(append(others, ','), raw...)
			continue
		}
		options = append(options, o)
	}
	s := &d.settings
	if s.options == nil || !reflect.DeepEqual(options, s.options) {
		s.options = options
		d.say(&agent.ConfigOptions{Options: slices.Clone(options)})
	}
	if others != nil {
		others[0] = '['
		d.say(&agent.Telemetry{Name: "config_option_update", Data: append(others, ']')})
	}
}
