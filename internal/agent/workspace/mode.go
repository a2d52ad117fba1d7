package workspace

import (
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/tools"
)

// The modes of a session.
const (
	modeAsk      = "ask"
	modeReadOnly = "read-only"
)

// Options implements [agent.Session].
func (s *session) Options() []agent.Option {
	s.mu.Lock()
	defer s.mu.Unlock()
	return []agent.Option{{
		ID:          agent.OptionMode,
		Name:        "Mode",
		Description: "What the agent may do to your files",
		Category:    agent.OptionMode,
		Kind:        agent.Select,
		Value:       agent.Chosen(s.mode),
		Choices: []agent.Choice{
			{ID: modeAsk, Name: "Ask", Description: "Asks before it writes a file or runs a command"},
			{ID: modeReadOnly, Name: "Read only", Description: "Writes nothing and runs nothing"},
		},
	}}
}

// Configure implements [agent.Session]. The mode takes effect at once, even for
// a step that waits for a confirmation.
func (s *session) Configure(o agent.SetOption) error {
	if o.OptionID != agent.OptionMode || o.Value != agent.Chosen(modeAsk) && o.Value != agent.Chosen(modeReadOnly) {
		return fmt.Errorf("%q cannot be set to %q", o.OptionID, o.Value)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.mode = o.Value.Choice
	s.announce(&agent.ModeChanged{ModeID: s.mode})
	return nil
}

// permits returns an error if the mode forbids changes.
func (s *session) permits() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mode == modeReadOnly {
		return fmt.Errorf("%w: the mode is read-only; select the mode ask first", tools.ErrRefused)
	}
	return nil
}
