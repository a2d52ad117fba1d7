package terminal

import (
	"fmt"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// chosen is the session's options and their current values.
type chosen struct {
	title    string
	modes    *v1.SessionModeState
	options  []v1.ConfigOption
	commands []v1.AvailableCommand
	used     uint64
	size     uint64
	cost     *v1.Cost
	steers   bool // the agent reads messages during a turn
}

func (c *chosen) update(u v1.Update) {
	switch u := u.(type) {
	case *v1.CurrentModeUpdate:
		if c.modes != nil {
			modes := *c.modes
			modes.CurrentModeID = u.CurrentModeID
			c.modes = &modes
		}
	case *v1.ConfigOptionUpdate:
		c.options = u.ConfigOptions
	case *v1.AvailableCommandsUpdate:
		c.commands = u.AvailableCommands
	case *v1.SessionInfoUpdate:
		c.noteSteering(u.Meta)
		if u.Title != "" {
			c.title = cleanLine(u.Title)
		}
	case *v1.UsageUpdate:
		c.used, c.size, c.cost = u.Used, u.Size, u.Cost
	}
}

// summary lists the current choices and the usage, most important first.
func (c *chosen) summary() (parts []string) {
	if mode := c.mode(); mode != "" {
		parts = append(parts, mode)
	}
	for _, o := range c.options {
		if value := valueName(&o); value != "" && o.Category != modeCategory {
			parts = append(parts, value)
		}
	}
	if c.size > 0 {
		parts = append(parts, fmt.Sprintf("%d%% of the context", c.used*100/c.size))
	} else if c.used > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens", c.used))
	}
	if c.cost != nil {
		parts = append(parts, fmt.Sprintf("%.4g %s", c.cost.Amount, cleanLine(c.cost.Currency)))
	}
	return parts
}

// mode returns the name of the current mode.
func (c *chosen) mode() string {
	for _, o := range c.options {
		if o.Category == modeCategory {
			return valueName(&o)
		}
	}
	if c.modes == nil {
		return ""
	}
	for _, mode := range c.modes.AvailableModes {
		if mode.ID == c.modes.CurrentModeID {
			return cleanLine(mode.Name)
		}
	}
	return cleanLine(c.modes.CurrentModeID)
}

// valueName returns the name of an option's current value, or "" for a switch that is
// off.
func valueName(o *v1.ConfigOption) string {
	if on := o.CurrentValue.Bool; on != nil {
		if *on {
			return cleanLine(o.Name)
		}
		return ""
	}
	for _, choice := range choices(o) {
		if choice.Value == o.CurrentValue.ID {
			return cleanLine(choice.Name)
		}
	}
	return cleanLine(o.CurrentValue.ID)
}

// choices returns the values of an option, without their groups.
func choices(o *v1.ConfigOption) (all []v1.ConfigChoice) {
	all = append(all, o.Options.Flat...)
	for _, g := range o.Options.Groups {
		all = append(all, g.Options...)
	}
	return all
}
