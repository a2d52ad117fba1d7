package dialect

import (
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// A Dialect is a way to write events as lines of JSON.
type Dialect struct {
	Name string
	// Types lists the names of all events that the dialect has, as they stand
	// on the wire (or as "type/subtype" where a second field tells them apart).
	// Each has a golden file, a row in docs/events.md. It is a function because
	// no program needs the list to start.
	Types func() []string
	// Recognise reports whether a line can only be of this dialect.
	Recognise func(line []byte) bool
	// NewDecoder returns a decoder for one stream.
	NewDecoder func() Decoder
}

// A Decoder decodes the lines of one stream. What it yields is valid until the
// next line is decoded; what it yields depends on the lines alone.
type Decoder interface {
	// Decode yields the events of one line, which is valid UTF-8 and has no
	// newline. It returns
	// ErrNotObject or a [MalformedError] where the line holds no event.
	Decode(line []byte, yield func(agent.Event) bool) error
}

// An Ender is a [Decoder] for streams that do not say when they are over: files
// to which a program appends. End yields what their end means. It is called by
// [Read], for which the end of a file is one; a process that goes away in the
// middle of a turn has not ended it.
type Ender interface {
	End(yield func(agent.Event) bool)
}

// A Refuser is a [Decoder] that can tell of a line which it could not decode
// that it asks something. The agent waits for the answer, so it has to be told
// that nobody will be asked.
type Refuser interface {
	// Refuse returns a [agent.ConfirmationRequested] or [agent.QuestionAsked]
	// whose Refusal is set, or nil where the line asks nothing, or the decoder
	// has refused it itself. cause is the error of Decode; of a line that is
	// longer than [MaxLine] there is only the beginning.
	Refuse(line []byte, cause error) agent.Event
}

// A Finding is something that is wrong with a line.
type Finding = lint.Finding

// A Doubter is a [Decoder] that tells what looks wrong about lines which it could
// decode: an event of an unknown type, or one that lacks what it is for.
type Doubter interface {
	// Doubt has tell called about such lines from now on, within Decode.
	Doubt(tell func(Finding))
}

// ErrNotObject says that a line is not a JSON object with a "type".
var ErrNotObject = errors.New("not a JSON object with a type")

// A MalformedError is an event of a known type whose fields are wrong.
type MalformedError struct {
	Type string
	Raw  []byte // the line; valid as long as the line
	Err  error
}

// Error implements error.
func (e *MalformedError) Error() string {
	return fmt.Sprintf("malformed %s event: %v", e.Type, e.Err)
}

// Unwrap returns the cause.
func (e *MalformedError) Unwrap() error { return e.Err }

// Malformed returns the event's name and what is wrong with it.
func (e *MalformedError) Malformed() (event string, cause error) { return e.Type, e.Err }

// Auto returns a dialect that decodes with the first of known that recognises
// a line, and until then with the last of them.
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

// decoder returns a new decoder of a dialect.
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
