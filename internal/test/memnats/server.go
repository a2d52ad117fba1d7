package memnats

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// maxPayload is the default of a real server, in bytes.
const maxPayload = 1 << 20

// A Server is a model of a NATS server.
type Server struct {
	mu         sync.Mutex
	maxPayload int
	clients    []*client // in the order in which they connected
	streams    map[string]*stream
}

// New returns an empty server, which accepts messages up to a size in bytes; 0 means 1 MiB.
func New(payload int) *Server {
	if payload == 0 {
		payload = maxPayload
	}
	return &Server{maxPayload: payload, streams: make(map[string]*stream)}
}

// A message is a published message.
type message struct {
	subject, reply string
	header, data   []byte // header is nil, or the whole header with its version line
}

// size returns the size as consumers count it, in bytes.
func (m message) size() int { return len(m.subject) + len(m.reply) + len(m.header) + len(m.data) }

// field returns the value of a header's field, or "".
func (m message) field(name string) string {
	for line := range bytes.Lines(m.header) {
		if key, value, ok := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":"); ok && key == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// publish handles a message: streams store it, the API answers it, and subscribers get it.
// A request that nobody gets is answered at once. The caller holds the lock.
func (s *Server) publish(m message) {
	taken := s.deliver(m.subject, m)
	switch {
	case strings.HasPrefix(m.subject, apiPrefix):
		s.request(m)
		return
	case strings.HasPrefix(m.subject, "$JS.ACK."):
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.streams)) {
		if one := s.streams[name]; one.takes(m.subject) {
			s.answer(m.reply, one.add(m))
			s.feed(one)
			return
		}
	}
	if !taken && m.reply != "" {
		s.deliver(m.reply, message{subject: m.reply, header: status("503", "")})
	}
}

// deliver passes a message to all subscribers of a subject, which may differ from the
// message's own, and reports whether there is one.
func (s *Server) deliver(to string, m message) (taken bool) {
	for _, c := range s.clients {
		taken = c.deliver(to, m) || taken
	}
	return taken
}

// status returns a header with a status, and more fields.
func status(code, description string, fields ...string) []byte {
	return withFields([]byte(strings.TrimSpace("NATS/1.0 "+code+" "+description)+"\r\n\r\n"), fields...)
}

// withFields returns a header with more fields.
func withFields(header []byte, fields ...string) []byte {
	text := []byte("NATS/1.0\r\n")
	if len(header) > 0 {
		text = bytes.Clone(header[:len(header)-len("\r\n")])
	}
	for i := 0; i < len(fields); i += 2 {
		text = append(text, fields[i]+": "+fields[i+1]+"\r\n"...)
	}
	return append(text, "\r\n"...)
}

// number returns a number as text.
func number[N int | int64 | uint64](n N) string { return strconv.FormatInt(int64(n), 10) }

// matches reports whether a subject matches a pattern.
func matches(pattern, subject string) bool {
	for pattern != "" {
		want, moreWanted, _ := strings.Cut(pattern, ".")
		if want == ">" {
			return subject != ""
		}
		got, rest, more := strings.Cut(subject, ".")
		if got == "" || want != "*" && want != got {
			return false
		}
		pattern, subject = moreWanted, rest
		if (pattern == "") == more {
			return false
		}
	}
	return true
}

// matchesAny reports whether a subject matches one of some patterns.
func matchesAny(patterns []string, subject string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, subject) })
}
