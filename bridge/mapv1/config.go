package mapv1

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/track"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// labels name the settings for people.
var labels = map[string]string{"mode": "Mode", "model": "Model"}

// Config is the settings of an agent as config options. Each offers only what
// is set: events say what an agent does, but no command tells it to change, and
// an option that cannot be chosen must not be offered.
func Config(settings []track.Setting) []v1.ConfigOption {
	out := make([]v1.ConfigOption, 0, len(settings))
	for _, s := range settings {
		name := s.Current.Name
		if name == "" {
			name = s.Current.ID
		}
		out = append(out, v1.ConfigOption{
			ID:           s.Name,
			Name:         labels[s.Name],
			Category:     s.Name,
			Type:         "select",
			CurrentValue: s.Current.ID,
			Options:      []v1.ConfigChoice{{Value: s.Current.ID, Name: name, Description: s.Current.Description}},
		})
	}
	return out
}

// setting shows a change in both ways that clients know.
func setting(s track.Step) []v1.Update {
	var out []v1.Update
	if e, ok := s.Event.(*agent.ModeChanged); ok {
		out = append(out, &v1.CurrentModeUpdate{CurrentModeID: e.ModeID})
	}
	return append(out, &v1.ConfigOptionUpdate{ConfigOptions: Config(s.Settings)})
}
