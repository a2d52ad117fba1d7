package dialect

import (
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// A Dialect is a format for events as lines of JSON.
type Dialect struct {
	Name string
	// Types lists the names of all events in the dialect as the agent sends them
	// (or as "type/subtype" if a second field distinguishes them). Each has a
	// golden file and a row in docs/events.md. Types is a function because no
	// program needs the list at startup.
	Types func() []string
	// Recognise reports whether a line can only belong to this dialect.
	Recognise func(line []byte) bool
	// NewDecoder returns a decoder for one stream.
	NewDecoder func() Decoder
}

// A Decoder decodes the lines of one stream. The yielded events are valid until
// the next line is decoded, and depend on the lines alone.
type Decoder interface {
	// Decode yields the events of one line, which is valid UTF-8 and has no
	// newline. It returns ErrNotObject or a [MalformedError] if the line holds no
	// event.
	Decode(line []byte, yield func(agent.Event) bool) error
}

// An Ender is a [Decoder] for streams that don't mark their end, such as files
// that a program appends to. End yields the events that EOF implies. Only [Read]
// calls it, where EOF ends the stream; a process that exits during a turn has not
// completed it.
type Ender interface {
	End(yield func(agent.Event) bool)
}

// A Refuser is a [Decoder] that can tell whether a line that it failed to decode
// is a request. The agent waits for an answer, so it must learn that nobody will
// be asked.
type Refuser interface {
	// Refuse returns an [agent.ConfirmationRequested] or [agent.QuestionAsked]
	// whose Refusal is set. It returns nil if the line is not a request, or if
	// Decode has already refused it. cause is the error from Decode. If the line
	// is longer than [MaxLine], line is only its beginning.
	Refuse(line []byte, cause error) agent.Event
}

// A Finding is a mistake in a line.
type Finding = lint.Finding

// A Doubter is a [Decoder] that reports suspicious lines that it could decode: an
// event of an unknown type, or one without its essential members.
type Doubter interface {
	// Doubt makes Decode call tell for such lines from now on.
	Doubt(tell func(Finding))
}

// ErrNotObject means that a line is not a JSON object with a "type".
var ErrNotObject = errors.New("not a JSON object with a type")

// A MalformedError reports an event of a known type with invalid fields.
type MalformedError struct {
	Type string
	Raw  []byte // the line; valid as long as the line is
	Err  error
}

// Error implements error.
func (e *MalformedError) Error() string {
	return fmt.Sprintf("malformed %s event: %v", e.Type, e.Err)
}

// Unwrap returns the cause.
func (e *MalformedError) Unwrap() error { return e.Err }

// Malformed returns the event's name and the cause.
func (e *MalformedError) Malformed() (event string, cause error) { return e.Type, e.Err }

// Auto returns a dialect that decodes with the first of known that recognises a
// line. Until then, it decodes with the last of known.
func Auto(known ...Dialect) Dialect {
	return Dialect{
		Name:       "auto",
		Recognise:  func([]byte) bool { return false },
		NewDecoder: func() Decoder { return &auto{known: known} },
	}
}

type auto struct {
	known  []Dialect
	chosen Decoder
	tell   func(Finding)
}

// Doubt implements [Doubter].
func (a *auto) Doubt(tell func(Finding)) { a.tell = tell }

// decoder returns a new decoder for d that reports its doubts.
func (a *auto) decoder(d Dialect) Decoder {
	decoder := d.NewDecoder()
	if doubter, ok := decoder.(Doubter); ok && a.tell != nil {
		doubter.Doubt(a.tell)
	}
	return decoder
}

// Decode implements [Decoder].
func (a *auto) Decode(line []byte, yield func(agent.Event) bool) error {
	if a.chosen == nil {
		for _, d := range a.known {
			if d.Recognise(line) {
				a.chosen = a.decoder(d)
				return a.chosen.Decode(line, yield)
			}
		}
		return a.decoder(a.known[len(a.known)-1]).Decode(line, yield)
	}
	return a.chosen.Decode(line, yield)
}

// Refuse implements [Refuser].
func (a *auto) Refuse(line []byte, cause error) agent.Event {
	if a.chosen == nil {
		return refusal(a.known[len(a.known)-1].NewDecoder(), line, cause)
	}
	return refusal(a.chosen, line, cause)
}

// End implements [Ender].
func (a *auto) End(yield func(agent.Event) bool) {
	if e, ok := a.chosen.(Ender); ok {
		e.End(yield)
	}
}
