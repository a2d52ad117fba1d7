package ahphost

import (
	"fmt"
	"maps"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// choices are the options of a session's agent, and the users' choices. Choices made
// before the agent has the session are in the record's Config. The host's mutex guards
// them.
type choices struct {
	agent    *agent
	remote   *remote
	record   *record
	overview *overview
	chat     *chat
	turn     *turn
	offers   offers
}

// show shows the agent's options, with preselected values that the agent does not have
// yet.
func (c *choices) show() {
	next := ahpmap.Config(c.offers.Options, c.offers.Modes)
	for name, value := range c.record.Config {
		if _, known := next.Values[name]; known {
			next.Values[name] = ahpmap.Shown(value)
		}
	}
	c.overview.offer(next)
}

// set applies the agent's current offers. A nil argument changes nothing.
func (c *choices) set(options []v1.ConfigOption, modes *v1.SessionModeState) {
	if options != nil {
		c.offers.Options = options
	}
	if modes != nil {
		c.offers.Modes = modes
	}
	c.show()
}

func (c *choices) setMode(id string) {
	if m := c.offers.Modes; m != nil {
		modes := *m
		modes.CurrentModeID = id
		c.set(nil, &modes)
	}
}

// setCommands sets the agent's commands, also for sessions that the agent doesn't have
// yet.
func (c *choices) setCommands(commands []v1.AvailableCommand) {
	c.offers.Commands = commands
	known := c.agent.offers
	known.Commands = commands
	c.agent.offer(known)
}

// share uses the offers for sessions that the agent doesn't have yet.
func (c *choices) share() {
	shared := c.offers
	shared.Name = c.agent.offers.Name
	c.agent.offer(shared)
}

func (c *choices) commands() []v1.AvailableCommand { return c.offers.Commands }

// preselect stores values that are valid for the options until the agent has the
// session.
func (c *choices) preselect(values map[string]any) {
	for name, value := range values { // VS Code sends some that no agent has
		value = ahpmap.Shown(value)
		if c.overview.mayChoose(name, value) != nil {
			continue
		}
		if c.record.Config == nil {
			c.record.Config = make(map[string]any)
		}
		c.record.Config[name] = value
	}
}

// change applies a client's choice. If the agent has the session but it isn't open,
// change opens it first.
func (c *choices) change(a *ahp.ConfigChanged, from *origin) error {
	for _, name := range slices.Sorted(maps.Keys(a.Config)) {
		a.Config[name] = ahpmap.Shown(a.Config[name])
		if err := c.overview.mayChoose(name, a.Config[name]); err != nil {
			return err
		}
	}
	a.Replace = false // omitted options keep their values at the agent
	c.overview.say(from, a)
	if c.record.ACP == "" {
		c.preselect(a.Config)
		return nil
	}
	c.remote.connect(func(err error) {
		if err != nil {
			c.agent.host.cfg.Log.Warn("an option was not set", "session", c.record.URI, "error", err)
			c.show()
			return
		}
		c.chooseAll(slices.Sorted(maps.Keys(a.Config)), a.Config, func() {})
	})
	return nil
}

// mayChoose returns an error if an option can't have a value.
func mayChoose(c *ahp.SessionConfig, name string, value any) error {
	p, known := c.Schema.Properties[name]
	if !known {
		return fmt.Errorf("unknown option %q", short(name))
	}
	if text, is := value.(string); !is || !slices.Contains(p.Enum, text) {
		return fmt.Errorf("the option %q does not have this value", name)
	}
	return nil
}

// prepare sets the preselected values and a message's model at the agent, and then
// calls then.
func (c *choices) prepare(m *ahp.Message, then func()) {
	values := maps.Clone(c.record.Config)
	c.chooseAll(slices.Sorted(maps.Keys(values)), values, func() {
		if values != nil {
			c.record.Config = nil
			c.show() // refused values revert
		}
		_, option, current := ahpmap.Models(c.agent.Provider, c.offers.Options)
		if m.Model == nil || option == "" || m.Model.ID == current || m.Model.ID == anyModel {
			then()
			return
		}
		c.choose(option, m.Model.ID, then)
	})
}

// chooseAll sets values one after the other.
func (c *choices) chooseAll(names []string, values map[string]any, then func()) {
	if len(names) == 0 {
		then()
		return
	}
	c.choose(names[0], values[names[0]], func() { c.chooseAll(names[1:], values, then) })
}

// choose sets a value at the agent. If the agent refuses it, the value reverts, and the
// user is told.
func (c *choices) choose(name string, value any, then func()) {
	u := c.remote.upstream()
	i := slices.IndexFunc(c.offers.Options, func(o v1.ConfigOption) bool { return o.ID == name })
	modes := c.offers.Modes
	mode, isText := value.(string)
	switch {
	case u == nil:
		then()
	case i >= 0:
		value = ahpmap.Value(&c.offers.Options[i], value)
		if current := c.offers.Options[i].CurrentValue; current.ID == value || current.Bool != nil && *current.Bool == value {
			then()
			return
		}
		params := map[string]any{"sessionId": c.record.ACP, "configId": name, "value": value}
		if _, is := value.(bool); is {
			params["type"] = v1.ConfigBoolean
		}
		u.call(v1.MethodSetConfig, params, func(result, failure []byte) {
			var now v1.SetConfigOptionResponse
			err := decoded(result, failure, &now)
			c.chosen(name, err, now.ConfigOptions, nil)
			then()
		})
	case name == ahpmap.ModeOption && modes != nil && isText:
		params := v1.SetModeRequest{SessionID: c.record.ACP, ModeID: mode}
		u.call(v1.MethodSetMode, params, func(_, failure []byte) {
			now := *modes
			now.CurrentModeID = mode
			c.chosen(name, failed(failure), nil, &now)
			then()
		})
	default:
		then()
	}
}

// chosen handles the agent's response to a choice.
func (c *choices) chosen(name string, err error, options []v1.ConfigOption, modes *v1.SessionModeState) {
	if !c.chat.ready() {
		return
	}
	if err != nil {
		c.turn.notice("The agent does not accept this value of " + name + ": " + err.Error())
		c.show() // the value reverts
		return
	}
	c.set(options, modes)
}

// stamp adds the current model to a message, where clients read it.
func (c *choices) stamp(m *ahp.Message) {
	if _, _, current := ahpmap.Models(c.agent.Provider, c.offers.Options); current != "" && m.Model == nil {
		m.Model = &ahp.ModelSelection{ID: current}
	}
}
