package hub

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/spool"
	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A shelf holds the oldest changes of a history on disk, because a history in memory is
// bounded. The hub's mutex guards it, but not the file.
type shelf struct {
	file    *spool.File
	first   int     // the number of the first record in the file
	last    []int64 // by record: the number of its last change
	readers int     // queued messages and batches that may still read the file
	over    bool    // the session is no longer open
}

// retain keeps the file until a call of release.
func (s *shelf) retain() { s.readers++ }

// release ends what retain began.
func (s *shelf) release() {
	s.readers--
	s.closeUnread()
}

// close closes the file once nothing reads it.
func (s *shelf) close() {
	s.over = true
	s.closeUnread()
}

func (s *shelf) closeUnread() {
	if s.over && s.readers == 0 {
		_ = s.file.Close() // it is temporary
	}
}

// renew empties the shelf.
func (s *shelf) renew() { s.first, s.last = s.file.Len(), nil }

// shelfBatch is the size of a record, which is read as a whole, in bytes.
const shelfBatch = 256 << 10

// shelved is the header of a change on a shelf. The change's line follows it.
type shelved struct {
	Seq      int64             `json:"seq"`
	From     int               `json:"from,omitempty"`
	To       int               `json:"to,omitempty"`
	Aware    bool              `json:"aware,omitempty"`
	Past     bool              `json:"past,omitempty"`
	Replayed bool              `json:"replayed,omitempty"`
	Times    v1.Times          `json:"times"`
	Event    *core.ClientEvent `json:"news,omitempty"`
	Author   string            `json:"author,omitempty"`
}

// add appends changes. It returns how many of them could not be stored.
func (s *shelf) add(changes []change) (lost int) {
	var record bytes.Buffer
	for i := range changes {
		c := &changes[i]
		head := shelved{c.seq, c.from, c.to, c.aware, c.past, c.replayed, c.times, c.event, c.author}
		text, err := json.Marshal(head)
		if err != nil { // can't happen: it has only strings, numbers and bools
			return len(changes) - i
		}
		for _, part := range [][]byte{text, {'\n'}, c.line, {'\n'}} {
			record.Write(part)
		}
		if record.Len() < shelfBatch && i < len(changes)-1 {
			continue
		}
		if s.file.Append(record.Bytes()) != nil {
			return len(changes) - i
		}
		s.last = append(s.last, c.seq)
		record.Reset()
	}
	return 0
}

// after returns the record with the first change whose number is above seq, and the
// number of the record's last change. ok is false if there is no such change.
func (s *shelf) after(seq int64) (record int, last int64, ok bool) {
	for i, end := range slices.Backward(s.last) {
		if end <= seq {
			break
		}
		record, last, ok = s.first+i, end, true
	}
	return record, last, ok
}

// readShelf returns the changes of a record.
func readShelf(file *spool.File, record int) (changes []change, err error) {
	text, err := file.Record(record)
	if err != nil {
		return nil, err
	}
	for len(text) > 0 {
		var head, line []byte
		head, text, _ = bytes.Cut(text, []byte{'\n'})
		line, text, _ = bytes.Cut(text, []byte{'\n'})
		var h shelved
		if err := exactjson.Unmarshal(head, &h); err != nil {
			return nil, err
		}
		changes = append(changes, change{
			seq: h.Seq, line: line, from: h.From, to: h.To, aware: h.Aware, past: h.Past, replayed: h.Replayed,
			times: h.Times, event: h.Event, author: h.Author,
		})
	}
	return changes, nil
}

// all returns all changes on the shelf.
func (s *shelf) all() (changes []change, err error) {
	for i := range s.last {
		part, err := readShelf(s.file, s.first+i)
		if err != nil {
			return nil, err
		}
		changes = append(changes, part...)
	}
	return changes, nil
}
