package natsstore

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/bridge/journal"
)

const (
	// pullBytes is how much of a session is on its way to a reader at once.
	pullBytes = 8 << 20
	// readTimeout is how long the next message may take.
	readTimeout = 20 * time.Second
)

// headerIn reads the header at the beginning of a session's text.
func headerIn(text []byte, subject string) (journal.Header, error) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	h, err := journal.ParseHeader(line)
	if err == nil && recordsPrefix+place(h.Agent, h.Cwd, h.ID) != subject {
		err = journal.ErrForeign // nobody finds it by its id
	}
	if err != nil {
		return journal.Header{}, fmt.Errorf("look at the session: %s: %w", subject, err)
	}
	return h, nil
}

// Read implements [journal.Store].
func (s *Store) Read(id string, from int64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		last, err := s.archive.find(id)
		if err != nil {
			yield(journal.Record{}, err)
			return
		}
		err = s.archive.read(last, id, from, func(r journal.Record) bool { return yield(r, nil) })
		if err != nil {
			yield(journal.Record{}, fmt.Errorf("read the session %s: %s: %w", id, last.Subject, err))
		}
	}
}

// read gives take the records up to a message, until it returns false.
func (a *archive) read(last *jetstream.RawStreamMsg, id string, from int64, take func(journal.Record) bool) error {
	ctx, cancel := a.link.call()
	defer cancel()
	consumer, err := a.js.OrderedConsumer(ctx, streamName, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{last.Subject}, DeliverPolicy: jetstream.DeliverAllPolicy, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return err
	}
	messages, err := consumer.Messages(jetstream.PullMaxBytes(pullBytes))
	if err != nil {
		return err
	}
	defer messages.Stop()
	r := reader{id: id, from: from, next: 1, subject: last.Subject, take: take}
	for {
		m, err := a.next(messages)
		if err != nil {
			return err
		}
		about, err := m.Metadata()
		if err != nil {
			return err
		}
		more, err := r.add(m)
		if err != nil || !more || about.Sequence.Stream >= last.Sequence {
			return err
		}
	}
}

func (a *archive) next(messages jetstream.MessagesContext) (jetstream.Msg, error) {
	ctx, cancel := context.WithTimeout(a.link.ctx, readTimeout)
	defer cancel()
	return messages.Next(jetstream.NextContext(ctx))
}

// A reader takes records from the messages of a session.
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
			err = fmt.Errorf("%w: record %d is in the place of %d", journal.ErrDamaged, record.Seq, r.next)
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
