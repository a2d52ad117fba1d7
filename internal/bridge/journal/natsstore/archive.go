package natsstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

const (
	// pullBytes and pullMessages bound the part of a session in flight to a reader. The
	// library allocates memory for all these messages.
	pullBytes    = 8 << 20
	pullMessages = 1000
	// readTimeout bounds the wait for the next message.
	readTimeout = 20 * time.Second
)

// An archive is the stream with the records and titles of all sessions. It has no state
// itself, and is safe for concurrent use.
type archive struct {
	conn   *connection
	js     jetstream.JetStream
	stream jetstream.Stream
}

// last returns the last message with a subject.
func (a *archive) last(subject string) (*jetstream.RawStreamMsg, error) {
	if err := a.conn.reachable(); err != nil {
		return nil, err
	}
	ctx, cancel := a.conn.call()
	defer cancel()
	m, err := a.stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, journal.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("read session: %w", err)
	}
	return m, nil
}

// find returns the last message of a session.
func (a *archive) find(id string) (*jetstream.RawStreamMsg, error) {
	return a.last(recordsPrefix + anyPlace(id))
}

// lastWriter returns the server that last wrote to a session, if known.
func (a *archive) lastWriter(id string) owner {
	m, err := a.find(id)
	if err != nil {
		return owner{}
	}
	return writerOf(m)
}

// writerOf returns the server that wrote a message, if known.
func writerOf(m *jetstream.RawStreamMsg) owner {
	server, _, _ := strings.Cut(m.Header.Get(writerHeader), ".")
	return owner{Server: server, Owner: "another server"}
}

// header returns the header of the session with a subject.
func (a *archive) header(subject string) (journal.Header, error) {
	ctx, cancel := a.conn.call()
	defer cancel()
	var p parts
	for seq := uint64(1); ; {
		m, err := a.stream.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return journal.Header{}, journal.ErrNotFound
		}
		if err != nil {
			return journal.Header{}, fmt.Errorf("read session: %w", err)
		}
		text, err := p.add(m.Header, m.Data)
		if err != nil {
			return journal.Header{}, fmt.Errorf("%s: message %d: %w", subject, m.Sequence, err)
		}
		if len(text) > 0 {
			return headerIn(text, subject)
		}
		seq = m.Sequence + 1
	}
}

// read calls take with the records up to the message last, until take returns false.
func (a *archive) read(last *jetstream.RawStreamMsg, id string, from int64, take func(journal.Record) bool) error {
	ctx, cancel := a.conn.call()
	defer cancel()
	consumer, err := a.js.OrderedConsumer(ctx, streamName, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{last.Subject}, DeliverPolicy: jetstream.DeliverAllPolicy, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return err
	}
	messages, err := consumer.Messages(jetstream.PullMaxMessagesWithBytesLimit(pullMessages, pullBytes))
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
	ctx, cancel := context.WithTimeout(a.conn.ctx, readTimeout)
	defer cancel()
	return messages.Next(jetstream.NextContext(ctx))
}

// purge deletes the messages of a session.
func (a *archive) purge(ctx context.Context, id string) (err error) {
	for _, prefix := range []string{recordsPrefix, titlesPrefix} {
		err = errors.Join(err, a.stream.Purge(ctx, jetstream.WithPurgeSubject(prefix+anyPlace(id))))
	}
	return err
}
