package bridge

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/bridge/mapv1"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

const (
	// choiceGrace is how long an agent may take to say that it has set what
	// was chosen.
	choiceGrace = 10 * time.Second
	// maxChoices is how many may wait for that.
	maxChoices = 32
)

// A choice is a request of the editor to set an option. It is answered when
// the agent has said that the option is set: only then it is so.
type choice struct {
	request *request
	name    string // of the option, for errors
	chosen  v1.ConfigValue
	is      func(agent.Option) bool // finds the option
	answer  func(options []agent.Option) any

	// What follows is known once the choice is found to be one.
	option string
	value  agent.Value
	until  time.Time
}

// choose gives the agent a choice, or answers it at once where there is
// nothing to change. It is called by the reader, and so what is prompted next
// follows it.
func (s *session) choose(c *choice) error {
	options, told, err := s.enter(c)
	switch {
	case err != nil:
		return err
	case options != nil:
		c.request.reply(c.answer(options))
		return nil
	case told:
		return nil // it will be confirmed together with the same choice before it
	}
	err = s.agent.Configure(agent.SetOption{Type: agent.CommandSetOption, SessionID: s.id, OptionID: c.option, Value: c.value})
	if err != nil {
		s.drop(c, fmt.Errorf("%s cannot be set: %w", c.name, err))
	}
	s.notify() // for the time until which it waits
	return nil
}

// enter adds a choice to those that wait. It gives all options where it is set
// already, and reports whether the agent was told the same before.
func (s *session) enter(c *choice) (options []agent.Option, told bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return nil, false, s.isClosed()
	}
	at := slices.IndexFunc(s.options, c.is)
	if at < 0 {
		return nil, false, protocol.Errorf(protocol.CodeInvalidParams, "there is no option %q to set", c.name)
	}
	o := &s.options[at]
	c.option, c.value = o.ID, mapv1.Value(o, c.chosen)
	if !o.Offers(c.value) {
		return nil, false, protocol.Errorf(protocol.CodeInvalidParams, "%q has no value %q to choose", c.name, c.value)
	}
	var before *choice // the last that waits, of the same option
	for _, waiting := range s.choices {
		if waiting.option == c.option {
			before = waiting
		}
	}
	switch {
	case before == nil && o.Value == c.value:
		return s.options, false, nil
	case s.pendingQuestion != nil:
		return nil, false, protocol.Errorf(protocol.CodeInvalidRequest, "the agent waits for the answer to its question; answer that first")
	case len(s.choices) >= maxChoices:
		return nil, false, protocol.Errorf(protocol.CodeInvalidRequest, "%d choices are waiting already", maxChoices)
	}
	c.until = time.Now().Add(choiceGrace)
	c.request.onCancel(func() { s.drop(c, context.Canceled) })
	s.choices = append(s.choices, c)
	return nil, before != nil && before.value == c.value, nil
}

// drop fails a choice, unless it is answered already.
func (s *session) drop(c *choice, err error) {
	s.mu.Lock()
	at := slices.Index(s.choices, c)
	if at >= 0 {
		s.choices = slices.Delete(s.choices, at, at+1)
	}
	s.mu.Unlock()
	if at >= 0 {
		c.request.fail(err)
	}
}

// confirmChoices takes over what can be chosen now, and answers the choices that it
// confirms or makes void. All updates that show it are in the stream by now.
func (s *session) confirmChoices(step normalize.Step) {
	if e, ok := step.Event.(*agent.ConfigOptions); ok && len(step.Options) < len(e.Options) {
		s.conn.log.Warn("the agent has options that cannot be shown", "session", s.id, "shown", len(step.Options), "options", len(e.Options))
	}
	s.mu.Lock()
	s.options = step.Options
	last := make(map[string]*choice) // by option: the last choice that is set
	for _, c := range s.choices {
		if o := find(s.options, c.option); o != nil && o.Value == c.value {
			last[c.option] = c
		}
	}
	answered := s.takeChoices(func(c *choice) bool {
		set := last[c.option] != nil // then those before the last are overtaken
		if last[c.option] == c {
			delete(last, c.option)
		}
		return set
	})
	void := s.takeChoices(func(c *choice) bool {
		o := find(s.options, c.option)
		return o == nil || !o.Offers(c.value)
	})
	s.mu.Unlock()
	for _, c := range answered {
		c.request.reply(c.answer(step.Options))
	}
	for _, c := range void {
		c.request.fail(fmt.Errorf("the agent does not offer %q for %q any more", c.value, c.name))
	}
}

// refuseChoice fails the choice that the agent has refused: the first of the option,
// and those that wait for the same. False means that none waits.
func (s *session) refuseChoice(e *agent.OptionRefused) bool {
	s.mu.Lock()
	first := slices.IndexFunc(s.choices, func(c *choice) bool { return c.option == e.OptionID })
	if first < 0 {
		s.mu.Unlock()
		return false
	}
	value := s.choices[first].value
	refused := s.takeChoices(func(c *choice) bool { return c.option == e.OptionID && c.value == value })
	s.mu.Unlock()
	for _, c := range refused {
		c.request.fail(fmt.Errorf("%s was not set: %s", c.name, e.Error))
	}
	return true
}

// giveUp fails the choices that have waited for too long, or all.
func (s *session) giveUp(all error) {
	now := time.Now()
	s.mu.Lock()
	late := s.takeChoices(func(c *choice) bool { return all != nil || !now.Before(c.until) })
	s.mu.Unlock()
	for _, c := range late {
		err := all
		if err == nil {
			err = fmt.Errorf("%s was not set: the agent has not said within %s that it is", c.name, choiceGrace)
		}
		c.request.fail(err)
	}
}

// takeChoices takes choices out of those that wait. The caller holds mu.
func (s *session) takeChoices(which func(*choice) bool) []*choice {
	var taken []*choice
	s.choices = slices.DeleteFunc(s.choices, func(c *choice) bool {
		if which(c) {
			taken = append(taken, c)
			return true
		}
		return false
	})
	return taken
}

// choiceWait is how long the choices may still wait.
func (s *session) choiceWait() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.choices) == 0 {
		return time.Hour
	}
	return time.Until(s.choices[0].until) // all have the same grace
}

func find(options []agent.Option, id string) *agent.Option {
	at := slices.IndexFunc(options, func(o agent.Option) bool { return o.ID == id })
	if at < 0 {
		return nil
	}
	return &options[at]
}
