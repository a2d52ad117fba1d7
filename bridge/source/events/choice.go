package events

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/mapv1"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

const (
	// choiceGrace bounds how long an agent may take to confirm a choice.
	choiceGrace = 10 * time.Second
	// maxChoices bounds the choices that wait for that.
	maxChoices = 32
)

// A choice is a request of the editor to set an option. It is answered when the
// agent has confirmed the new value, because only then it is set.
type choice struct {
	request *core.Call
	name    string // of the option, for errors
	chosen  v1.ConfigValue
	is      func(agent.Option) bool // matches the option
	answer  func(options []agent.Option) any

	// The following fields are set when the choice is accepted.
	option string
	value  agent.Value
	until  time.Time
}

// choose passes a choice to the agent, or answers it at once if there is
// nothing to change. The reader calls it, so the choice precedes the next
// prompt.
func (s *session) choose(c *choice) error {
	options, sent, err := s.addChoice(c)
	switch {
	case err != nil:
		return err
	case options != nil:
		c.request.Reply(c.answer(options))
		return nil
	case sent:
		return nil // it is confirmed together with an earlier, equal choice
	}
	err = s.peers.agent.Configure(agent.SetOption{Type: agent.CommandSetOption, SessionID: s.peers.id, OptionID: c.option, Value: c.value})
	if err != nil {
		s.drop(c, fmt.Errorf("%s cannot be set: %w", c.name, err))
	}
	s.loop.wake() // to set the timer for its deadline
	return nil
}

// addChoice adds a choice to those that wait. It returns all options if the value
// is set already, and reports whether an equal choice was sent to the agent
// before.
func (s *session) addChoice(c *choice) (options []agent.Option, sent bool, err error) {
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
	var before *choice // the last waiting choice for the same option
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
	c.request.OnCancel(func() { s.drop(c, context.Canceled) })
	s.choices = append(s.choices, c)
	return nil, before != nil && before.value == c.value, nil
}

// drop fails a choice, unless it has been answered.
func (s *session) drop(c *choice, err error) {
	s.mu.Lock()
	at := slices.Index(s.choices, c)
	if at >= 0 {
		s.choices = slices.Delete(s.choices, at, at+1)
	}
	s.mu.Unlock()
	if at >= 0 {
		c.request.Fail(err)
	}
}

// confirmChoices records the new options, and answers the choices that they
// confirm or make impossible. All updates that show the options are in the
// stream by then.
func (s *session) confirmChoices(step normalize.Step) {
	if e, ok := step.Event.(*agent.ConfigOptions); ok && len(step.Options) < len(e.Options) {
		s.logger().Warn("the agent has options that cannot be shown", "shown", len(step.Options), "options", len(e.Options))
	}
	s.mu.Lock()
	s.options = step.Options
	last := make(map[string]*choice) // by option: the last choice that is set now
	for _, c := range s.choices {
		if o := find(s.options, c.option); o != nil && o.Value == c.value {
			last[c.option] = c
		}
	}
	answered := s.takeChoices(func(c *choice) bool {
		set := last[c.option] != nil // earlier ones are superseded
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
		s.record.command(agent.SetOption{Type: agent.CommandSetOption, SessionID: s.peers.id, OptionID: c.option, Value: c.value})
		c.request.Reply(c.answer(step.Options))
	}
	for _, c := range void {
		c.request.Fail(fmt.Errorf("the agent does not offer %q for %q any more", c.value, c.name))
	}
}

// refuseChoice fails the choice that the agent has refused: the first one for
// the option, and others with the same value. It returns false if no choice
// waits.
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
		c.request.Fail(fmt.Errorf("%s was not set: %s", c.name, e.Error))
	}
	return true
}

// expireChoices fails the choices that have waited too long, or all of them
// with the error all.
func (s *session) expireChoices(all error) {
	now := time.Now()
	s.mu.Lock()
	expired := s.takeChoices(func(c *choice) bool { return all != nil || !now.Before(c.until) })
	s.mu.Unlock()
	for _, c := range expired {
		err := all
		if err == nil {
			err = fmt.Errorf("%s was not set: the agent did not confirm it within %s", c.name, choiceGrace)
		}
		c.request.Fail(err)
	}
}

// takeChoices removes choices from those that wait, and returns them. The
// caller holds mu.
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

// choiceWait returns the time until the next choice expires.
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
