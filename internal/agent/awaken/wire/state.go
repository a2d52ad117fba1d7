package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// State is the state of a stream of one run, or of consecutive runs. The decoder
// uses it. A driver may use it between lines.
type State struct {
	run     Run
	changed func(Run) // nil if unused
	next    bool      // the next run continues this one's turn
	calls   calls
	subruns subruns

	repeats *repeats // nil if nothing is repeated
	cursor  string   // of the last fact

	lastText message // the text of the answers, if a driver needs it

	event string // the name of the AgentEvent in the current line, or ""

	// Events that are reused.
	pending agent.ToolPending
	ready   agent.ToolReady
	extra   []byte // for the end of a call
}

// NewState returns the state for a driver's turn, in which the event store
// repeats the events of a run's stream. changed is called with r, and with the
// run after each change, before the events that belong to the change are emitted.
func NewState(r Run, changed func(Run)) *State {
	changed(r)
	return &State{run: r, changed: changed, repeats: newRepeats()}
}

// NewDecoder returns a decoder with a driver's state.
func NewDecoder(s *State) dialect.Decoder {
	t := definition()
	t.EachLine = true
	t.OnText = func(s *State, text agent.Text) { s.lastText.add(rawjson.Body(text)) }
	return t.Compile().Decoder(s)
}

// Expect says that the next run continues this one's turn. In the older form,
// decisions start such a run.
func (s *State) Expect() { s.next = true }

// Cursor returns the position of the last fact in its run.
func (s *State) Cursor() string { return s.cursor }

// Rewind says that the event store is read from the beginning.
func (s *State) Rewind() {
	s.cursor = ""
	s.repeats.rewind()
}

// enter finds the event in the line, and reports whether it is new.
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

// outlives reports whether an event has a meaning after the end of a run: the
// start of the next run, another end, and the server's own messages. Awaken's own
// readers ignore all others too (event_relay.rs).
func outlives(event string) bool {
	switch event {
	case "run_start", "run_finish", "error", "":
		return true
	}
	return false
}

// cursorOf returns the position of a fact in its run.
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

// runOf returns the run that an event's envelope names. The current form has no
// envelope.
func runOf(l *dialect.Line) string {
	if l.Form == headForm {
		return ""
	}
	return l.Top.OptionalKey("run_id")
}

// forget drops the state of the previous run.
func (s *State) forget() { s.calls, s.subruns = calls{}, subruns{} }
