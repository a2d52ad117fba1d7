package hostahp

import (
	"fmt"
	"maps"
	"slices"

	"github.com/turnwire/turnwire/bridge/kept"
	"github.com/turnwire/turnwire/bridge/mapahp"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/protocol/ahp"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// actOnSession applies an action of the session.
func (s *session) actOnSession(d *dispatched, from *origin) error {
	if a, is := d.action.(*ahp.ConfigChanged); is {
		return s.configure(a, from)
	}
	saved, err := s.overview.change(d.client.id, d.action, from)
	if err != nil || !saved {
		return err
	}
	if a, is := d.action.(*ahp.TitleChanged); is {
		s.rename(a.Title)
	}
	s.save()
	s.overview.listed()
	return nil
}

// rename gives the session its title where others look for it.
func (s *session) rename(title string) {
	id, store, log := s.record.ACP, s.host.cfg.Journal, s.host.cfg.Log
	if u := s.agent.up; id != "" && s.isOpen && u != nil && u.names {
		u.call(v1.MethodSetTitle, v1.SetSessionTitleRequest{SessionID: id, Title: title}, func(_, failure []byte) {
			if err := failed(failure); err != nil {
				log.Warn("a session was not renamed at its agent", "session", id, "error", err)
			}
		})
		return
	}
	if id == "" || store == nil {
		return
	}
	s.host.work.Go(func() {
		if err := kept.Retitle(store, id, title); err != nil {
			log.Warn("a session was not renamed in the journal", "session", id, "error", err)
		}
	})
}

// configure chooses values. Where the session is not open at the agent yet they are
// chosen when it is.
func (s *session) configure(a *ahp.ConfigChanged, from *origin) error {
	for name, value := range a.Config {
		if err := s.overview.mayChoose(name, value); err != nil {
			return err
		}
	}
	a.Replace = false // what was left out keeps its value at the agent
	s.overview.say(from, a)
	if s.record.ACP == "" {
		s.choose(a.Config)
		s.save()
		return nil
	}
	s.connect(func(err error) {
		if err != nil {
			s.host.cfg.Log.Warn("an option was not chosen", "session", s.record.URI, "error", err)
			s.offer()
			return
		}
		s.chooseAll(slices.Sorted(maps.Keys(a.Config)), a.Config, func() {})
	})
	return nil
}

// mayChoose returns an error if an option can't have a value.
func mayChoose(c *ahp.SessionConfig, name string, value any) error {
	p, known := c.Schema.Properties[name]
	if !known {
		return fmt.Errorf("the agent has no option %q", short(name))
	}
	if p.Type == "boolean" {
		if _, is := value.(bool); !is {
			return fmt.Errorf("the option %q is true or false", name)
		}
		return nil
	}
	if text, is := value.(string); !is || !slices.Contains(p.Enum, text) {
		return fmt.Errorf("the option %q has no such value", name)
	}
	return nil
}

// prepare chooses what the session was made with, and the model of a message, and
// then goes on.
func (s *session) prepare(m *ahp.Message, then func()) {
	values := maps.Clone(s.record.Config)
	s.chooseAll(slices.Sorted(maps.Keys(values)), values, func() {
		if values != nil {
			s.record.Config = nil
			s.offer() // what the agent has refused is what it was
		}
		_, option, current := mapahp.Models(s.agent.Provider, s.offers.Options)
		if m.Model == nil || option == "" || m.Model.ID == current || m.Model.ID == anyModel {
			then()
			return
		}
		s.setOption(option, m.Model.ID, then)
	})
}

// chooseAll chooses values one after the other.
func (s *session) chooseAll(names []string, values map[string]any, then func()) {
	if len(names) == 0 {
		then()
		return
	}
	s.setOption(names[0], values[names[0]], func() { s.chooseAll(names[1:], values, then) })
}

// setOption chooses a value at the agent. One that the agent refuses is taken back,
// and the user is told.
func (s *session) setOption(name string, value any, then func()) {
	u := s.agent.up
	i := slices.IndexFunc(s.offers.Options, func(o v1.ConfigOption) bool { return o.ID == name })
	modes := s.offers.Modes
	mode, isText := value.(string)
	switch {
	case u == nil || !s.isOpen:
		then()
	case i >= 0:
		if current := s.offers.Options[i].CurrentValue; current.ID == value || current.Bool != nil && *current.Bool == value {
			then()
			return
		}
		params := map[string]any{"sessionId": s.record.ACP, "configId": name, "value": value}
		if _, is := value.(bool); is {
			params["type"] = v1.ConfigBoolean
		}
		u.call(v1.MethodSetConfig, params, func(result, failure []byte) {
			var now v1.SetConfigOptionResponse
			err := failed(failure)
			if err == nil {
				err = exactjson.Unmarshal(result, &now)
			}
			s.chosen(name, err, now.ConfigOptions, nil)
			then()
		})
	case name == mapahp.ModeOption && modes != nil && isText:
		params := v1.SetModeRequest{SessionID: s.record.ACP, ModeID: mode}
		u.call(v1.MethodSetMode, params, func(_, failure []byte) {
			now := *modes
			now.CurrentModeID = mode
			s.chosen(name, failed(failure), nil, &now)
			then()
		})
	default:
		then()
	}
}

// chosen takes the agent's answer to a choice.
func (s *session) chosen(name string, err error, options []v1.ConfigOption, modes *v1.SessionModeState) {
	if !s.chat.ready() {
		return
	}
	if err != nil {
		s.turn.notice("The agent does not take this value of " + name + ": " + err.Error())
		s.offer() // the value is what it was
		return
	}
	s.setOffers(options, modes)
}

// stamp says which model a message is for: clients read it there.
func (s *session) stamp(m *ahp.Message) {
	if _, _, current := mapahp.Models(s.agent.Provider, s.offers.Options); current != "" && m.Model == nil {
		m.Model = &ahp.ModelSelection{ID: current}
	}
}
