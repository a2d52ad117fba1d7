package natsstore

import (
	"bytes"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// headerIn parses the header at the start of a session's text.
func headerIn(text []byte, subject string) (journal.Header, error) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	h, err := journal.ParseHeader(line)
	if err == nil && recordsPrefix+place(h.Agent, h.Cwd, h.ID) != subject {
		err = journal.ErrForeign // it can't be found by its id
	}
	if err != nil {
		return journal.Header{}, fmt.Errorf("read session: %s: %w", subject, err)
	}
	return h, nil
}

// A reader parses the records in a session's messages.
type reader struct {
	id      string
	subject string
	from    int64
	next    int64
	begun   bool // the header was read
	parts   parts
	take    func(journal.Record) bool
}

func (r *reader) add(m jetstream.Msg) (more bool, err error) {
	text, err := r.parts.add(m.Headers(), m.Data())
	if err != nil {
		return false, err
	}
	for line := range bytes.Lines(text) {
		if !r.begun {
			h, err := headerIn(line, r.subject)
			if err == nil && h.ID != r.id {
				err = journal.ErrForeign
			}
			if err != nil {
				return false, err
			}
			r.begun = true
			continue
		}
		record, err := journal.ParseRecord(line)
		if err == nil && record.Seq != r.next {
			err = fmt.Errorf("%w: found record %d instead of %d", journal.ErrDamaged, record.Seq, r.next)
		}
		if err != nil {
			return false, err
		}
		if r.next >= r.from && !r.take(record) {
			return false, nil
		}
		r.next++
	}
	return true, nil
}
