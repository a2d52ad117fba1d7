package normalize

import (
	"reflect"
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// options are what the agent has said that can be chosen: at most one option
// of an id, each with a kind that fits its value.
type options struct {
	told   []agent.Option // by mode_changed and model_changed, the mode first
	listed []agent.Option // by config_options
	mode   string         // as it was last yielded
	last   []agent.Option // as they were last yielded
}

// changed reports whether options differ from those that were last yielded, and
// takes them for yielded.
func (o *options) changed(options []agent.Option) Fields {
	if o.last != nil && reflect.DeepEqual(o.last, options) {
		return 0
	}
	o.last = options
	return FieldOptions
}

// nameOf is the name of an option that has none from the agent, "" where it is
// neither the mode nor the model.
func nameOf(id string) string {
	switch id {
	case agent.OptionMode:
		return "Mode"
	case agent.OptionModel:
		return "Model"
	}
	return ""
}

// offer takes a whole list over. What cannot be shown is left out: an option
// without an id, with one that was there before, or with a value that does not
// fit its kind.
func (t *Normalizer) offer(e *agent.ConfigOptions) {
	o := &t.options
	o.listed = make([]agent.Option, 0, len(e.Options))
	seen := make(map[string]bool)
	for _, option := range e.Options {
		if option, ok := fit(option); ok && !seen[option.ID] {
			seen[option.ID] = true
			o.listed = append(o.listed, option)
		}
	}
	o.told = slices.DeleteFunc(slices.Clone(o.told), func(told agent.Option) bool {
		return seen[told.ID] || slices.ContainsFunc(o.listed, about(told.ID))
	})
	step := Step{Event: e, Options: o.lawful()}
	step.Changed = o.changed(step.Options)
	if at := slices.IndexFunc(step.Options, about(agent.OptionMode)); at >= 0 && step.Options[at].Value.Choice != o.mode {
		step.Mode = step.Options[at].Value.Choice
		o.mode = step.Mode
	}
	t.yield(step)
}

// choose takes over what the mode or the model is set to: an option of the list
// that is about that, or one of its own.
func (t *Normalizer) choose(e agent.Event, category, id string, available []agent.Choice) {
	if !isID(id) {
		t.yield(Step{Event: e})
		return
	}
	o := &t.options
	list := &o.listed
	at := slices.IndexFunc(*list, about(category))
	if at < 0 {
		list = &o.told
		at = slices.IndexFunc(*list, about(category))
	}
	*list = slices.Clone(*list)
	taken := slices.ContainsFunc(o.listed, func(l agent.Option) bool { return l.ID == category })
	if at < 0 && !taken {
		if at = 0; category == agent.OptionModel {
			at = len(*list)
		}
		added := agent.Option{ID: category, Name: nameOf(category), Category: category, Kind: agent.Select}
		*list = slices.Insert(*list, at, added)
	}
	if at >= 0 {
		set := &(*list)[at]
		set.Value = agent.Chosen(id)
		if len(available) > 0 {
			set.Choices, set.Groups = slices.Clone(available), nil
		}
	}
	step := Step{Event: e, Options: o.lawful()}
	step.Changed = o.changed(step.Options)
	if category == agent.OptionMode && o.mode != id {
		step.Mode, o.mode = id, id
	}
	t.yield(step)
}

// about finds the option for the mode or the model.
func about(category string) func(agent.Option) bool {
	return func(o agent.Option) bool { return o.Category == category && o.Kind == agent.Select }
}

// fit gives an option a kind and a category where they go without saying.
func fit(o agent.Option) (agent.Option, bool) {
	if o.Kind == "" {
		o.Kind = agent.Select
		if o.Value.Boolean {
			o.Kind = agent.Boolean
		}
	}
	if o.Category == "" && nameOf(o.ID) != "" {
		o.Category = o.ID
	}
	switch o.Kind {
	case agent.Boolean:
		o.Choices, o.Groups = nil, nil
		return o, isID(o.ID) && o.Value.Boolean
	case agent.Select:
		return o, isID(o.ID) && isID(o.Value.Choice)
	}
	return o, false
}
