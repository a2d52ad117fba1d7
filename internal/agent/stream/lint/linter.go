package lint

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Decoder decodes the lines of a stream; see dialect.Decoder.
type Decoder interface {
	Decode(line []byte, yield func(agent.Event) bool) error
}

// malformed is the error of an event with a value of the wrong kind.
type malformed interface {
	error
	// Malformed returns the event's name and the cause.
	Malformed() (event string, cause error)
}

// placed is an error that knows which member it is about.
type placed interface {
	error
	// Member returns the member's path: names joined by dots.
	Member() string
}

// Failed returns the finding for an event that a decoder could not read. ok is
// false for errors that are not about an event.
func Failed(line []byte, err error) (_ Finding, ok bool) {
	m, ok := errors.AsType[malformed](err)
	if !ok {
		return Finding{}, false
	}
	event, cause := m.Malformed()
	var member string
	if p, ok := errors.AsType[placed](cause); ok {
		member = p.Member()
	}
	return Malformed(line, event, member, cause), true
}

// MaxLine is the maximum length of a line, in bytes.
const MaxLine = 32 << 20

// A Linter checks a stream, line by line.
type Linter struct {
	// Tell receives each finding, and may keep it.
	Tell func(Finding)
	// SSE means that the dialect is sent as server-sent events.
	SSE bool
	// Laws check the order of the events.
	Laws Laws
	// Event, if not nil, is called with each event, after its findings were
	// reported.
	Event func(agent.Event)

	decoder Decoder
	native  func() bool
	names   func() []string
	framing Framing
	line    int
	crlf    bool
	spread  []byte // the lines of an object over several lines
	wrong   bool   // the turn had an error, which may explain why it shows nothing
}

// NewLinter returns a linter for one stream that d decodes. native reports
// whether the lines so far are in the native dialect. names returns the
// dialect's event names.
func NewLinter(d Decoder, native func() bool, names func() []string, tell func(Finding)) *Linter {
	return &Linter{Tell: tell, decoder: d, native: native, names: names}
}

// Lines returns the number of lines so far.
func (l *Linter) Lines() int { return l.line }

// Line checks the next line, without its newline. It does not keep line.
func (l *Linter) Line(line []byte) {
	l.line++
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
		if !l.crlf && !isUTF16(line) {
			l.crlf = true
			f := New("crlf", "lines end with a carriage return and a line feed")
			l.tell(f.on(line))
		}
	}
	switch {
	case len(line) > MaxLine:
		l.tell(New("too-long", fmt.Sprintf("the line has %d bytes, but the limit is %d", len(line), MaxLine)).on(line))
		return
	case len(bytes.TrimSpace(line)) == 0:
		return
	}
	if f, bad := NotUTF8(line); bad {
		l.tell(f)
		line = rawjson.Valid(line)
	}
	if inner, rule := Unwrap(line); rule != "" {
		l.tell(Wrapped(rule, line))
		line = inner
	}
	if l.framing.Open() {
		l.goOn(line)
		return
	}
	if !l.decode(line) {
		if f, bad := l.framing.Check(line); bad {
			l.tell(f)
			if l.framing.Open() && f.Rule == "pretty-json" {
				l.spread = append(l.spread[:0], line...)
			}
		}
	}
}

// maxSpreadBytes limits an object over several lines that is put together.
const maxSpreadBytes = 1 << 20

// goOn handles a line in the middle of an object. It also checks the complete
// object, because authors fix one mistake after the other.
func (l *Linter) goOn(line []byte) {
	if len(line) > 0 && line[0] == '{' && l.decode(line) {
		l.framing.Event()
		l.spread = nil
		return
	}
	l.framing.Check(line)
	if l.spread != nil && len(l.spread)+len(line) < maxSpreadBytes {
		l.spread = append(append(l.spread, ' '), line...)
	} else {
		l.spread = nil
	}
	if !l.framing.Open() && l.spread != nil {
		l.decode(l.spread)
		l.spread = nil
	}
}

// decode decodes a line, and reports whether it is an event, even a malformed
// one.
func (l *Linter) decode(line []byte) bool {
	checked := false
	err := l.decoder.Decode(line, func(e agent.Event) bool {
		if u, unknown := e.(*agent.Unknown); unknown {
			l.tell(UnknownEvent(line, u.Name, l.names()))
			return true
		}
		if !checked && l.native() {
			checked = true
			for _, f := range Members(line) {
				l.tell(f)
			}
		}
		l.Laws.Add(e, func(f Finding) {
			if f.Rule != "empty-turn" || !l.wrong {
				l.tell(l.placed(f, line))
			}
		})
		l.wrong = l.wrong && l.Laws.Running()
		if l.Event != nil {
			l.Event(e)
		}
		return true
	})
	if err == nil {
		l.framing.Event()
		return true
	}
	f, ok := Failed(line, err)
	if ok {
		l.tell(f)
	}
	return ok
}

// placed gives a finding of [Laws] its place in the line.
func (l *Linter) placed(f Finding, line []byte) Finding {
	name := "type"
	switch f.Rule {
	case "wrong-turn":
		name, f.Path = "turnId", "$.turnId"
	case "end-without-start", "ended-twice", "started-twice", "bad-arguments":
		name, f.Path = "toolCallId", "$.toolCallId"
	case "bad-options":
		name = "options"
	}
	if from, to, ok := span(line, name); ok {
		return f.at(line, from, to)
	}
	f.Path = ""
	return f.on(line)
}

func (l *Linter) tell(f Finding) {
	if l.SSE && f.Rule == "sse-data-prefix" {
		return
	}
	f.Line = l.line
	l.wrong = l.wrong || f.Severity == Error
	l.Tell(f)
}

// ender is a decoder for streams that don't mark their end; see dialect.Ender.
type ender interface {
	End(yield func(agent.Event) bool)
}

// End records the end of the stream.
func (l *Linter) End() {
	if e, ok := l.decoder.(ender); ok {
		e.End(func(e agent.Event) bool {
			l.Laws.Add(e, func(Finding) {}) // these events are on no line
			return true
		})
	}
	l.Laws.End(l.Tell)
}
