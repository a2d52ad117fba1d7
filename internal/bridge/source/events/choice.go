package events

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

const (
	// choiceGrace bounds how long an agent may take to confirm a choice.
	choiceGrace = 10 * time.Second
	// maxChoices bounds the unconfirmed choices.
	maxChoices = 32
)

// A choice is the editor's request to set an option. It is answered when the agent
// confirms the new value, because only then is it set.
type choice struct {
	request *core.Call
	name    string // the option's name, for errors
	chosen  v1.ConfigValue
	is      func(agent.Option) bool // matches the option
	answer  func(options []agent.Option) any

	// The following fields are set when the choice is accepted.
	option string
	value  agent.Value
	until  time.Time
}

// choices are the options of a session's agent, and the unconfirmed choices. mu guards
// options, waiting and closed. The reader adds choices, and the session's goroutine
// answers them.
type choices struct {
	peers  *peers
	loop   *loop
	queue  *queue
	record *record

	mu      sync.Mutex
	options []agent.Option
	waiting []*choice
	closed  bool
}

// choose passes a choice to the agent, or answers it at once if nothing changes. The
// reader calls it, so the choice precedes the next prompt.
func (cs *choices) choose(c *choice) error {
	options, sent, err := cs.add(c)
	switch {
	case err != nil:
		return err
	case options != nil:
		c.request.Reply(c.answer(options))
		return nil
	case sent:
		return nil // confirmed together with an earlier, equal choice
	}
	err = cs.peers.agent.Configure(agent.SetOption{Type: agent.CommandSetOption, SessionID: cs.peers.id, OptionID: c.option, Value: c.value})
	if err != nil {
		cs.drop(c, fmt.Errorf("%s cannot be set: %w", c.name, err))
	}
	cs.loop.wake() // to set the deadline timer
	return nil
}

// add adds a choice to the waiting ones. It returns all options if the value is already
// set. sent reports whether an equal choice was already sent to the agent.
func (cs *choices) add(c *choice) (options []agent.Option, sent bool, err error) {
	asking := cs.queue.askingTurn() != "" // not under mu
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.closed {
		return nil, false, errClosed(cs.peers.id)
	}
	at := slices.IndexFunc(cs.options, c.is)
	if at < 0 {
		return nil, false, protocol.Errorf(protocol.CodeInvalidParams, "unknown option %q", c.name)
	}
	o := &cs.options[at]
	c.option, c.value = o.ID, acpmap.Value(o, c.chosen)
	if !o.Offers(c.value) {
		return nil, false, protocol.Errorf(protocol.CodeInvalidParams, "the option %q does not have the value %q", c.name, c.value)
	}
	var before *choice // the last waiting choice for the same option
	for _, waiting := range cs.waiting {
		if waiting.option == c.option {
			before = waiting
		}
	}
	switch {
	case before == nil && o.Value == c.value:
		return cs.options, false, nil
	case asking:
		return nil, false, protocol.Errorf(protocol.CodeInvalidRequest, "the agent is waiting for an answer; answer its question first")
	case len(cs.waiting) >= maxChoices:
		return nil, false, protocol.Errorf(protocol.CodeInvalidRequest, "%d choices are already pending", maxChoices)
	}
	c.until = time.Now().Add(choiceGrace)
	c.request.OnCancel(func() { cs.drop(c, context.Canceled) })
	cs.waiting = append(cs.waiting, c)
	return nil, before != nil && before.value == c.value, nil
}

// drop fails a choice, unless it was answered.
func (cs *choices) drop(c *choice, err error) {
	cs.mu.Lock()
	at := slices.Index(cs.waiting, c)
	if at >= 0 {
		cs.waiting = slices.Delete(cs.waiting, at, at+1)
	}
	cs.mu.Unlock()
	if at >= 0 {
		c.request.Fail(err)
	}
}

// confirm records the new options. It answers the choices that they confirm, and fails
// those that they rule out. The updates that show the options are already in the
// stream.
func (cs *choices) confirm(options []agent.Option) {
	cs.mu.Lock()
	cs.options = options
	last := make(map[string]*choice) // by option: the last choice that is now set
	for _, c := range cs.waiting {
		if o := find(cs.options, c.option); o != nil && o.Value == c.value {
			last[c.option] = c
		}
	}
	answered := cs.take(func(c *choice) bool {
		set := last[c.option] != nil // earlier ones are superseded
		if last[c.option] == c {
			delete(last, c.option)
		}
		return set
	})
	void := cs.take(func(c *choice) bool {
		o := find(cs.options, c.option)
		return o == nil || !o.Offers(c.value)
	})
	cs.mu.Unlock()
	for _, c := range answered {
		cs.record.command(agent.SetOption{Type: agent.CommandSetOption, SessionID: cs.peers.id, OptionID: c.option, Value: c.value})
		c.request.Reply(c.answer(options))
	}
	for _, c := range void {
		c.request.Fail(fmt.Errorf("the agent no longer offers %q for %q", c.value, c.name))
	}
}

// refuse fails the first choice for the refused option, and others with the same value.
// It returns false if no such choice waits.
func (cs *choices) refuse(e *agent.OptionRefused) bool {
	cs.mu.Lock()
	first := slices.IndexFunc(cs.waiting, func(c *choice) bool { return c.option == e.OptionID })
	if first < 0 {
		cs.mu.Unlock()
		return false
	}
	value := cs.waiting[first].value
	refused := cs.take(func(c *choice) bool { return c.option == e.OptionID && c.value == value })
	cs.mu.Unlock()
	for _, c := range refused {
		c.request.Fail(fmt.Errorf("%s was not set: %s", c.name, e.Error))
	}
	return true
}

// expire fails the choices that waited too long.
func (cs *choices) expire() {
	now := time.Now()
	cs.mu.Lock()
	expired := cs.take(func(c *choice) bool { return !now.Before(c.until) })
	cs.mu.Unlock()
	for _, c := range expired {
		c.request.Fail(fmt.Errorf("%s was not set: the agent did not confirm it within %s", c.name, choiceGrace))
	}
}

// close makes the session refuse further choices.
func (cs *choices) close() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.closed = true
}

// failAll fails all waiting choices.
func (cs *choices) failAll(err error) {
	cs.mu.Lock()
	all := cs.take(func(*choice) bool { return true })
	cs.mu.Unlock()
	for _, c := range all {
		c.request.Fail(err)
	}
}

// take removes the choices that match which from the waiting ones, and returns them.
// The caller holds mu.
func (cs *choices) take(which func(*choice) bool) []*choice {
	var taken []*choice
	cs.waiting = slices.DeleteFunc(cs.waiting, func(c *choice) bool {
		if which(c) {
			taken = append(taken, c)
			return true
		}
		return false
	})
	return taken
}

// wait returns the time until the next choice expires, or an hour if none waits.
func (cs *choices) wait() time.Duration {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if len(cs.waiting) == 0 {
		return time.Hour
	}
	return time.Until(cs.waiting[0].until) // all have the same grace period
}

// restore sets the options to their earlier values if the agent still offers them.
func (cs *choices) restore(chosen []agent.SetOption) {
	options := cs.current()
	for _, c := range chosen {
		o := find(options, c.OptionID)
		if o == nil || o.Value == c.Value || !o.Offers(c.Value) {
			continue
		}
		c.Type, c.SessionID = agent.CommandSetOption, cs.peers.id
		if err := cs.peers.agent.Configure(c); err != nil {
			cs.peers.log.Warn("an option could not be restored", "option", c.OptionID, "error", err)
		}
	}
}

// current returns the options with their values.
func (cs *choices) current() []agent.Option {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return cs.options
}

// offers returns the modes and options for the response to the request that opened the
// session.
func (cs *choices) offers() (*v1.SessionModeState, []v1.ConfigOption) {
	options := cs.current()
	if len(options) == 0 {
		return acpmap.Modes(options), nil
	}
	return acpmap.Modes(options), acpmap.Config(options, cs.peers.client.shows)
}

func find(options []agent.Option, id string) *agent.Option {
	at := slices.IndexFunc(options, func(o agent.Option) bool { return o.ID == id })
	if at < 0 {
		return nil
	}
	return &options[at]
}
