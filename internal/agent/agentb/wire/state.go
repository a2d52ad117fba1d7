package wire

import (
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// State is the state of a stream of one or more runs. The decoder uses it. A
// driver may use it between lines.
type State struct {
	givesOutputs bool
	named        func(run, thread string)

	run, thread string // from the last event
	messages    messages
	calls       calls
	required    []Call // calls of the last requires_action, until its meaning is known
	incomplete  bool   // some of these calls can't be asked about
	paused      []Call // calls whose outputs the run waits for
	done        bool   // the run has reported its end
	status      string // details of a status that precedes an end
}

// NewState returns the state for a new stream. asks means that tool outputs can
// be submitted to a paused run: a pause then becomes a question for each
// output, instead of the end of the turn. named, which may be nil, is called
// with the ids of a run and its thread before any other event of the run.
func NewState(givesOutputs bool, named func(run, thread string)) *State {
	return &State{givesOutputs: givesOutputs, named: named, calls: make(calls)}
}

// Over reports whether the run has reported its end.
func (s *State) Over() bool { return s.done }

// Paused reports whether the run waits for tool outputs.
func (s *State) Paused() bool { return s.paused != nil }

// Status returns the last status of the run, if it matters.
func (s *State) Status() string { return s.status }

// TakePaused returns and forgets the calls whose outputs the run waits for. It
// returns nil if the run is not paused.
func (s *State) TakePaused() []Call {
	calls := s.paused
	s.paused, s.required = nil, nil
	return calls
}

// enter records which run a line belongs to.
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

// begin drops the state of the previous run, except for its messages, whose ids
// are unique.
func (s *State) begin() {
	s.required, s.paused, s.done, s.status = nil, nil, false, ""
	clear(s.calls)
}

// dataOf returns the event's data, or an empty object if it is missing.
func dataOf(l *dialect.Line) []byte {
	if data := l.JSON(); data != nil {
		return rawjson.CleanValue(data)
	}
	return []byte("{}")
}
