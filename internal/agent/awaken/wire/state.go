package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// State is what is known of a stream: that of a run, or of several after one
// another. It is used by whoever decodes, and by a driver between two lines.
type State struct {
	run     Run
	changed func(Run) // nil where nobody wants to know
	next    bool      // the run that starts next goes on with this one's turn
	calls   calls
	subruns subruns

	repeats *repeats // nil where nothing is said twice
	cursor  string   // of the last fact

	said said // the text of the answers, where a driver wants to know

	event string // the name of the AgentEvent that the line holds, "" where it holds none

	// Events that are used again.
	pending agent.ToolPending
	ready   agent.ToolReady
	extra   []byte // of the end of a call
}

// NewState returns the state of a driver's turn, in which the event store repeats
// what the stream of a run has said. changed is called with r, and with the run
// after each change, before the events that go with the change are emitted.
func NewState(r Run, changed func(Run)) *State {
	changed(r)
	return &State{run: r, changed: changed, repeats: newRepeats()}
}

// NewDecoder returns a decoder with a driver's state.
func NewDecoder(s *State) dialect.Decoder {
	t := definition()
	t.EachLine = true
	t.Said = func(s *State, text agent.Text) { s.said.add(rawjson.Body(text)) }
	return t.Compile().Decoder(s)
}

// Expect says that the run which starts next goes on with this one's turn, as
// the older form does where decisions start a run.
func (s *State) Expect() { s.next = true }

// Cursor is where the last fact stands among those of its run.
func (s *State) Cursor() string { return s.cursor }

// Rewind says that the event store is read from its beginning.
func (s *State) Rewind() {
	s.cursor = ""
	s.repeats.rewind()
}

// enter finds the event in the line, and reports whether it says something new.
func (s *State) enter(l *dialect.Line) bool {
	s.event = l.Name
	switch l.Form {
	case olderForm:
		if data := object(l.Top, "data"); data != nil {
			l.Fields = data
		}
	case factForm:
		l.Fields = object(l.Top, "payload")
		s.event = l.OptionalKey("event_type")
	}
	if s.repeats != nil {
		if l.Form == factForm {
			s.cursor = cursorOf(l)
		}
		if s.repeats.has(l, s.event) {
			return false
		}
	}
	return s.run.Phase != Ended || outlives(s.event)
}

// outlives reports whether an event means something after the end of a run: the
// start of the next, another end, and what the server says of its own accord.
// Nothing else is read there by Awaken's own readers either (event_relay.rs).
func outlives(event string) bool {
	switch event {
	case "run_start", "run_finish", "error", "":
		return true
	}
	return false
}

// cursorOf is where a fact stands among those of its run.
func cursorOf(l *dialect.Line) (cursor string) {
	l.Lenient(func() {
		for c := range l.Top.Objects("cursors_by_scope") {
			if object(c, "scope").OptionalKey("scope_type") == "run" {
				cursor = c.OptionalKey("cursor")
				return
			}
		}
	})
	return cursor
}

// runOf is the run that the envelope of an event names. The head form has none.
func runOf(l *dialect.Line) string {
	if l.Form == headForm {
		return ""
	}
	return l.Top.OptionalKey("run_id")
}

// forget drops what belongs to the run before.
func (s *State) forget() { s.calls, s.subruns = calls{}, subruns{} }
