package natsstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/bridge/journal"
)

// An archive is the stream with the records and titles of all sessions. It keeps
// nothing itself, and is safe for concurrent use.
type archive struct {
	link   *link
	js     jetstream.JetStream
	stream jetstream.Stream
}

// last returns the last message with a subject.
func (a *archive) last(subject string) (*jetstream.RawStreamMsg, error) {
	if err := a.link.reachable(); err != nil {
		return nil, err
	}
	ctx, cancel := a.link.call()
	defer cancel()
	m, err := a.stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, journal.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("look at the session: %w", err)
	}
	return m, nil
}

// find returns the last message of a session.
func (a *archive) find(id string) (*jetstream.RawStreamMsg, error) {
	return a.last(recordsPrefix + anyPlace(id))
}

// lastWriter returns the server that wrote last to a session, if that is known.
func (a *archive) lastWriter(id string) owner {
	m, err := a.find(id)
	if err != nil {
		return owner{}
	}
	server, _, _ := strings.Cut(m.Header.Get(writerHeader), ".")
	return owner{Server: server, Owner: "another server"}
}

// header returns the header of the session with a subject.
func (a *archive) header(subject string) (journal.Header, error) {
	ctx, cancel := a.link.call()
	defer cancel()
	var p parts
	for seq := uint64(1); ; {
		m, err := a.stream.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return journal.Header{}, journal.ErrNotFound
		}
		if err != nil {
			return journal.Header{}, fmt.Errorf("look at the session: %w", err)
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

// purge deletes the messages of a session.
func (a *archive) purge(ctx context.Context, id string) (err error) {
	for _, prefix := range []string{recordsPrefix, titlesPrefix} {
		err = errors.Join(err, a.stream.Purge(ctx, jetstream.WithPurgeSubject(prefix+anyPlace(id))))
	}
	return err
}
