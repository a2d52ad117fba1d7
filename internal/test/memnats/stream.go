package memnats

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"
)

// A stream stores messages.
type stream struct {
	name    string
	raw     json.RawMessage // its configuration, as it was requested
	config  streamConfig
	created time.Time

	stored    []stored // by sequence
	last      uint64   // the last sequence
	consumers map[string]*consumer
}

// A streamConfig has the parts of a stream's configuration that have an effect.
type streamConfig struct {
	Name       string        `json:"name"`
	Subjects   []string      `json:"subjects"`
	PerSubject int           `json:"max_msgs_per_subject"` // 0 or negative means any number
	MaxAge     time.Duration `json:"max_age"`
}

// A stored message is one in a stream.
type stored struct {
	message

	sequence uint64
	at       time.Time
}

// takes reports whether the stream stores messages with a subject.
func (s *stream) takes(subject string) bool { return matchesAny(s.config.Subjects, subject) }

// expire removes messages that are too old.
func (s *stream) expire() {
	if s.config.MaxAge <= 0 {
		return
	}
	oldest := time.Now().Add(-s.config.MaxAge)
	s.stored = slices.DeleteFunc(s.stored, func(m stored) bool { return !m.at.After(oldest) })
}

// add stores a message, unless it expects another last sequence of its subject. It returns
// the response.
func (s *stream) add(m message) any {
	s.expire()
	if want := m.field("Nats-Expected-Last-Subject-Sequence"); want != "" {
		last := uint64(0)
		if there := s.lastOf(m.subject); there != nil {
			last = there.sequence
		}
		if n, err := strconv.ParseUint(want, 10, 64); err != nil || n != last {
			return failure(400, 10071, "wrong last sequence: "+number(last))
		}
	}
	keep := s.config.PerSubject - 1
	if m.field("Nats-Rollup") == "sub" {
		keep = 0
	}
	if keep >= 0 {
		s.purge(m.subject, keep)
	}
	s.last++
	m.reply = ""
	s.stored = append(s.stored, stored{message: m, sequence: s.last, at: time.Now()})
	return object{"stream": s.name, "seq": s.last}
}

// lastOf returns the last message whose subject matches a pattern, or nil.
func (s *stream) lastOf(pattern string) *stored {
	for i := len(s.stored) - 1; i >= 0; i-- {
		if matches(pattern, s.stored[i].subject) {
			return &s.stored[i]
		}
	}
	return nil
}

// next returns the first message from a sequence on whose subject matches one of some
// patterns, or nil. No patterns match any subject.
func (s *stream) next(from uint64, patterns []string) *stored {
	first, _ := slices.BinarySearchFunc(s.stored, from, func(m stored, from uint64) int { return int(m.sequence) - int(from) }) //nolint:gosec // few messages
	for i := first; i < len(s.stored); i++ {
		if len(patterns) == 0 || matchesAny(patterns, s.stored[i].subject) {
			return &s.stored[i]
		}
	}
	return nil
}

// purge removes the messages whose subjects match a pattern, but for the last ones. "" matches
// any subject.
func (s *stream) purge(pattern string, keep int) (purged int) {
	left := 0
	for i := range s.stored {
		if pattern == "" || matches(pattern, s.stored[i].subject) {
			left++
		}
	}
	s.stored = slices.DeleteFunc(s.stored, func(m stored) bool {
		if pattern != "" && !matches(pattern, m.subject) || left <= keep {
			return false
		}
		left--
		purged++
		return true
	})
	return purged
}

// Stored returns the subjects of the messages that a stream holds, in order. A key-value
// bucket is the stream "KV_" followed by its name; its deleted entries are left out.
func (s *Server) Stored(name string) (subjects []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.streams[name]
	if one == nil {
		return nil
	}
	one.expire()
	for _, m := range one.stored {
		if m.field("KV-Operation") == "" {
			subjects = append(subjects, m.subject)
		}
	}
	return subjects
}
