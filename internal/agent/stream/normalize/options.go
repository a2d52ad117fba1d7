package normalize

import (
	"reflect"
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// options holds the options that the agent offers: at most one for each id,
// with a kind that fits its value.
type options struct {
	single []agent.Option // from mode_changed and model_changed, the mode first
	listed []agent.Option // from config_options
	mode   string         // the mode that was last yielded
	last   []agent.Option // the options that were last yielded
}

// changed reports whether options differ from the last yielded ones, and
// records them as yielded.
func (o *options) changed(options []agent.Option) Fields {
	if o.last != nil && reflect.DeepEqual(o.last, options) {
		return 0
	}
	o.last = options
	return FieldOptions
}

// nameOf returns the name of the mode or model option if the agent gave it
// none, or "" for any other option.
func nameOf(id string) string {
	switch id {
	case agent.OptionMode:
		return "Mode"
	case agent.OptionModel:
		return "Model"
	}
	return ""
}

// offer replaces the whole list. It drops options that can't be shown: those
// without an id, with a repeated id, or with a value that does not fit the
// kind.
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
	o.single = slices.DeleteFunc(slices.Clone(o.single), func(reported agent.Option) bool {
		return seen[reported.ID] || slices.ContainsFunc(o.listed, about(reported.ID))
	})
	step := Step{Event: e, Options: o.valid()}
	step.Changed = o.changed(step.Options)
	if at := slices.IndexFunc(step.Options, about(agent.OptionMode)); at >= 0 && step.Options[at].Value.Choice != o.mode {
		step.Mode = step.Options[at].Value.Choice
		o.mode = step.Mode
	}
	t.yield(step)
}

// choose records the current mode or model, in the listed option with that
// category or in a separate option.
func (t *Normalizer) choose(e agent.Event, category, id string, available []agent.Choice) {
	if !isID(id) {
		t.yield(Step{Event: e})
		return
	}
	o := &t.options
	list := &o.listed
	at := slices.IndexFunc(*list, about(category))
	if at < 0 {
		list = &o.single
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
	step := Step{Event: e, Options: o.valid()}
	step.Changed = o.changed(step.Options)
	if category == agent.OptionMode && o.mode != id {
		step.Mode, o.mode = id, id
	}
	t.yield(step)
}

// about returns a predicate for the mode or model option.
func about(category string) func(agent.Option) bool {
	return func(o agent.Option) bool { return o.Category == category && o.Kind == agent.Select }
}

// fit adds an option's kind and category if they are obvious.
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
