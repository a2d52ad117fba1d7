package memnats

import (
	"strings"
	"time"
)

// direct answers a request for the last message with a subject, without JSON. The words
// are the stream's name, and the subject's.
func (s *Server) direct(words []string, reply string) {
	var m *stored
	if one := s.streams[words[0]]; one != nil {
		one.expire()
		m = one.lastOf(strings.Join(words[1:], "."))
	}
	if m == nil {
		s.deliver(reply, message{subject: reply, header: status("404", "Message Not Found")})
		return
	}
	header := withFields(m.header, "Nats-Stream", words[0], "Nats-Subject", m.subject, "Nats-Sequence", number(m.sequence), "Nats-Time-Stamp", m.at.UTC().Format(time.RFC3339Nano))
	s.deliver(reply, message{subject: reply, header: header, data: m.data})
}
