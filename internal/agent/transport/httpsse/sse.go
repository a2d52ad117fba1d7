package httpsse

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"iter"
	"strings"

	gosse "github.com/tmaxmax/go-sse"
)

// MaxEvent is the maximum length of an event, in bytes.
const MaxEvent = 32 << 20

// ErrTooLong ends a stream with an event longer than MaxEvent.
var ErrTooLong = errors.New("it sent an event of more than 32 MiB")

// An Event is one event of a stream.
type Event struct {
	// ID is the last id that the stream sent, with this event or earlier. To
	// continue after this event, send it as Last-Event-ID.
	ID   string
	Type string // the "event" field, usually ""
	Data string // the data lines, joined by newlines
}

// ReadEvents yields the events of r that have data, including an unterminated
// last one, as in recordings. It ends at EOF, or with the read error.
func ReadEvents(r io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		in := &terminated{r: r}
		for e, err := range gosse.Read(in, &gosse.ReadConfig{MaxEventSize: MaxEvent}) {
			if err != nil {
				if errors.Is(err, bufio.ErrTooLong) {
					err = &TooLongError{Head: in.begin.bytes()}
				}
				yield(Event{}, cmp.Or(in.err, err))
				return
			}
			if e.Data == "" {
				continue // only an id or a retry
			}
			if !yield(Event{e.LastEventID, e.Type, e.Data}, nil) {
				return
			}
		}
	}
}

// terminated reads r followed by an empty line. It remembers the read error,
// because the parser does not report it.
type terminated struct {
	r     io.Reader
	end   string
	err   error
	begin begin
}

// Read implements [io.Reader].
func (t *terminated) Read(p []byte) (int, error) {
	if t.r != nil {
		n, err := t.r.Read(p)
		t.begin.note(p[:n])
		switch {
		case errors.Is(err, io.EOF):
			t.r, t.end = nil, "\n\n"
		case err != nil:
			t.err = err
			return n, err
		}
		return n, nil
	}
	if t.end == "" {
		return 0, io.EOF
	}
	n := copy(p, t.end)
	t.end = t.end[n:]
	return n, nil
}

// Line returns the data as one line. JSON data keeps its meaning.
func (e Event) Line() []byte {
	return bytes.TrimSpace([]byte(strings.NewReplacer("\r", " ", "\n", " ").Replace(e.Data)))
}
