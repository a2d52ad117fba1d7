package normalize

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

const (
	// maxLabel limits each id, name and description, in bytes.
	maxLabel = 1 << 10
	// maxOffered limits the text of all options together, because the whole
	// list is sent again at each change.
	maxOffered = 256 << 10
	// perEntry is the cost of an option or a choice in addition to its text.
	perEntry = 64
)

// valid returns all options that fit the size limit.
func (o *options) valid() []agent.Option {
	out := make([]agent.Option, 0, len(o.single)+len(o.listed))
	left := maxOffered
	for _, option := range slices.Concat(o.single, o.listed) {
		option.Name, option.Description, option.Category = name(option.Name, option.ID), label(option.Description), label(option.Category)
		cost := perEntry + len(option.ID) + len(option.Name) + len(option.Description) + len(option.Category)
		if left < cost {
			continue
		}
		left -= cost
		if option.Kind == agent.Select {
			option.Choices, option.Groups = choices(&option, &left)
		}
		out = append(out, option)
	}
	return out
}

// choices returns the choices of o that can be shown. The current value is
// always included, even if the agent does not offer it or there are too many
// choices.
func choices(o *agent.Option, left *int) ([]agent.Choice, []agent.ChoiceGroup) {
	current := agent.Choice{ID: o.Value.Choice, Name: o.Value.Choice}
	for c := range o.Each {
		if c.ID == current.ID {
			current = c
			break
		}
	}
	taken := make(map[string]bool)
	add := func(to []agent.Choice, c agent.Choice) []agent.Choice {
		c.Name, c.Description = name(c.Name, c.ID), label(c.Description)
		cost := perEntry + len(c.ID) + len(c.Name) + len(c.Description)
		if !isID(c.ID) || taken[c.ID] || *left < cost && c.ID != current.ID {
			return to
		}
		*left -= cost
		taken[c.ID] = true
		return append(to, c)
	}
	var flat []agent.Choice
	for _, c := range o.Choices {
		flat = add(flat, c)
	}
	var groups []agent.ChoiceGroup
	for _, g := range o.Groups {
		var of []agent.Choice
		for _, c := range g.Choices {
			of = add(of, c)
		}
		at := slices.IndexFunc(groups, func(have agent.ChoiceGroup) bool { return have.ID == g.ID })
		switch {
		case len(of) == 0:
		case at >= 0:
			groups[at].Choices = append(groups[at].Choices, of...)
		case len(g.ID) <= maxLabel:
			groups = append(groups, agent.ChoiceGroup{ID: g.ID, Name: name(g.Name, g.ID), Choices: of})
		default:
			flat = append(flat, of...)
		}
	}
	if !taken[current.ID] {
		flat = add(flat, current)
	}
	if len(groups) > 0 && len(flat) > 0 {
		// A list is either flat or grouped.
		groups = append([]agent.ChoiceGroup{{ID: freeID(groups), Name: o.Name, Choices: flat}}, groups...)
		flat = nil
	}
	return flat, groups
}

// freeID returns an id that no group has.
func freeID(groups []agent.ChoiceGroup) string {
	id := "other"
	for slices.ContainsFunc(groups, func(g agent.ChoiceGroup) bool { return g.ID == id }) {
		id += "."
	}
	return id
}

// isID reports whether an id can be used. Truncating a longer one would
// change its identity.
func isID(id string) bool { return id != "" && len(id) <= maxLabel }

func name(name, id string) string {
	if strings.TrimSpace(name) == "" {
		name = id
	}
	return label(name)
}

// label truncates text that is too long for a menu.
func label(s string) string {
	if len(s) <= maxLabel {
		return s
	}
	return strings.ToValidUTF8(s[:maxLabel], "") + "…"
}
