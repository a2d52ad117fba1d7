package wire

import (
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// State is what is known of a stream: that of a run, or of several after one
// another. It is used by whoever decodes, and by a driver between two lines.
type State struct {
	asks  bool
	named func(run, thread string)

	run, thread string // of the last event
	messages    messages
	calls       calls
	required    []Call // of the last requires_action, until it is known what it means
	unasked     bool   // nobody can be asked for some of them
	paused      []Call // what the run waits for
	over        bool   // the run has said its end
	status      string // details of a status that announces an end
}

// NewState returns the state of a stream that begins. asks says that the outputs
// of tools can be given to a paused run: then a pause is a question for each of
// them, and no end. named, which may be nil, is told when a run and its thread
// are named, before anything is said of them.
func NewState(asks bool, named func(run, thread string)) *State {
	return &State{asks: asks, named: named, calls: make(calls)}
}

// Over reports whether the run has said its end.
func (s *State) Over() bool { return s.over }

// Paused reports whether the run waits for outputs.
func (s *State) Paused() bool { return s.paused != nil }

// Status is the last that the run said of itself, if that matters.
func (s *State) Status() string { return s.status }

// TakePaused returns the calls whose outputs the run waits for, nil where it
// does not, and forgets them.
func (s *State) TakePaused() []Call {
	calls := s.paused
	s.paused, s.required = nil, nil
	return calls
}

// enter notes which run a line is about.
func (s *State) enter(l *dialect.Line) bool {
	run, thread := l.Top.OptionalKey("runId"), l.Top.OptionalKey("threadId")
	if run == "" {
		run = s.run
	} else if run != s.run {
		s.begin()
	}
	if s.named != nil && thread != "" && (run != s.run || thread != s.thread) {
		s.named(run, thread)
	}
	s.run, s.thread = run, thread
	return true
}

// begin forgets the run before. Messages are remembered: their ids are unique.
func (s *State) begin() {
	s.required, s.paused, s.over, s.status = nil, nil, false, ""
	clear(s.calls)
}

// dataOf is the event's data, an empty object where there is none.
func dataOf(l *dialect.Line) []byte {
	if data := l.JSON(); data != nil {
		return rawjson.CleanValue(data)
	}
	return []byte("{}")
}
