package wire

import "github.com/turnwire/turnwire/agent"

// State is the state of a stream of one run. The decoder uses it. A driver may use it
// between lines.
type State struct {
	answers bool // interrupts can be answered
	goesOn  bool // the end of the run doesn't end the turn

	run     string // the run's id
	message string // the last text message, which a chunk without an id continues
	hidden  string // the last message that the agent did not write
	call    string // the last tool call, likewise

	calls  []string          // calls of the turn, in order; collected only if answers is set
	names  map[string]string // the tools of those without a result
	before map[string]bool   // those of earlier runs, which a server may repeat

	refused map[string]bool // calls that the user didn't permit
	settled map[string]bool // calls whose result the client has sent
	offered map[string]bool // the tools of the client
	left    []Call          // the calls of these, which the client runs now

	begun      bool
	ended      bool
	failed     bool
	count      int // of the interrupts so far
	legacy     []*Interrupt
	interrupts []*Interrupt
}

// NewState returns the state for a stream whose interrupts can be answered. goesOn means
// that the turn continues with another run, even if this one fails. last is the state of
// the turn's last run, or nil.
func NewState(goesOn bool, last *State) *State {
	s := &State{answers: true, goesOn: goesOn}
	if last != nil {
		s.calls, s.names, s.refused, s.before = last.calls, last.names, last.refused, make(map[string]bool)
		s.settled, s.offered = last.settled, last.offered
		for id := range last.names {
			s.before[id] = true
		}
	}
	return s
}

// Offer sets the tools that the client offers the agent.
func (s *State) Offer(names []string) {
	s.offered = make(map[string]bool)
	for _, name := range names {
		s.offered[name] = true
	}
}

// A Call is one of a tool that the client offers.
type Call struct{ ID, Tool string }

// Left returns the calls that the run that has ended leaves to the client.
func (s *State) Left() []Call { return s.left }

// Settle records that a call which was left to the client has a result.
func (s *State) Settle(id string) {
	if s.settled == nil {
		s.settled = make(map[string]bool)
	}
	s.settled[id] = true
	s.End(&agent.ToolEnd{ToolCallID: id})
}

// isOld reports whether the server repeats a call of an earlier run.
func (s *State) isOld(id string) bool { return s.before[id] || s.settled[id] }

// Begun reports whether the stream has named a run, or reported an error instead.
func (s *State) Begun() bool { return s.begun }

// Ended reports whether the run has ended.
func (s *State) Ended() bool { return s.ended }

// Failed reports whether the run has ended with an error.
func (s *State) Failed() bool { return s.failed }

// Interrupts returns what the run that has ended waits for.
func (s *State) Interrupts() []*Interrupt { return s.interrupts }

// maxCalls limits the calls that interrupts may be about.
const maxCalls = 1 << 10

// called records a call, because interrupts may refer to it.
func (s *State) called(id, tool string) {
	if _, known := s.names[id]; known || !s.answers || len(s.calls) == maxCalls {
		return
	}
	if s.names == nil {
		s.names = make(map[string]string)
	}
	s.calls = append(s.calls, id)
	s.names[id] = tool
}
