package memnats

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// A consumer delivers a stream's messages to those that pull them.
type consumer struct {
	stream *stream
	name   string
	config consumerConfig

	from      uint64   // the next sequence to deliver
	only      []uint64 // the sequences that are delivered; nil means all
	delivered uint64
	pulls     []*pull // in order
}

// A consumerConfig has the parts of a consumer's configuration that have an effect.
type consumerConfig struct {
	Filter      string   `json:"filter_subject"`
	Filters     []string `json:"filter_subjects"`
	Policy      string   `json:"deliver_policy"`
	Start       uint64   `json:"opt_start_seq"`
	HeadersOnly bool     `json:"headers_only"`
}

// A pull is a request for messages.
type pull struct {
	Batch    int           `json:"batch"`
	MaxBytes int           `json:"max_bytes"` // 0 means any number
	Expires  time.Duration `json:"expires"`

	reply string
	until time.Time
}

// consume creates a consumer.
func (s *stream) consume(name string, request []byte) object {
	var asked struct {
		Config consumerConfig `json:"config"`
	}
	var raw struct {
		Config json.RawMessage `json:"config"`
	}
	if exactjson.Unmarshal(request, &asked) != nil || exactjson.Unmarshal(request, &raw) != nil {
		return failure(400, 10025, "invalid JSON")
	}
	s.expire()
	c := &consumer{stream: s, name: name, config: asked.Config, from: max(asked.Config.Start, 1)}
	if c.config.Filter != "" {
		c.config.Filters = append(c.config.Filters, c.config.Filter)
	}
	if c.config.Policy == "last_per_subject" {
		c.only = s.lasts(c.config.Filters)
	}
	s.consumers[name] = c
	return object{"stream_name": s.name, "name": name, "config": raw.Config, "created": time.Now(), "num_pending": c.pending()}
}

func (s *stream) unconsume(name string) object {
	if s.consumers[name] == nil {
		return noConsumer
	}
	delete(s.consumers, name)
	return object{"success": true}
}

// lasts returns the sequences of each subject's last message, for the subjects that match.
func (s *stream) lasts(patterns []string) []uint64 {
	last := make(map[string]uint64)
	for i := range s.stored {
		if m := &s.stored[i]; len(patterns) == 0 || matchesAny(patterns, m.subject) {
			last[m.subject] = m.sequence
		}
	}
	sequences := make([]uint64, 0, len(last))
	for _, sequence := range last {
		sequences = append(sequences, sequence)
	}
	slices.Sort(sequences)
	return sequences
}

// next returns the next message to deliver, or nil.
func (c *consumer) next() *stored {
	for from := c.from; ; {
		m := c.stream.next(from, c.config.Filters)
		if m == nil || c.only == nil || slices.Contains(c.only, m.sequence) {
			return m
		}
		from = m.sequence + 1
	}
}

// pending returns the number of messages that were not delivered yet.
func (c *consumer) pending() (n int) {
	for i := range c.stream.stored {
		m := &c.stream.stored[i]
		if m.sequence >= c.from && (len(c.config.Filters) == 0 || matchesAny(c.config.Filters, m.subject)) && (c.only == nil || slices.Contains(c.only, m.sequence)) {
			n++
		}
	}
	return n
}

// pull handles a request for messages.
func (s *Server) pull(of, name string, m message) {
	one := s.streams[of]
	if one == nil || one.consumers[name] == nil {
		s.deliver(m.reply, message{subject: m.reply, header: status("503", "")})
		return
	}
	p := &pull{reply: m.reply}
	if err := exactjson.Unmarshal(m.data, p); err != nil {
		s.deliver(m.reply, message{subject: m.reply, header: status("400", "Bad Request")})
		return
	}
	p.Batch = cmp.Or(p.Batch, 1)
	p.until = time.Now().Add(p.Expires)
	c := one.consumers[name]
	c.pulls = append(c.pulls, p)
	s.feed(one)
}

// feed delivers a stream's messages to those that wait for them.
func (s *Server) feed(one *stream) {
	one.expire()
	for _, c := range one.consumers {
		for len(c.pulls) > 0 {
			p, m := c.pulls[0], c.next()
			if time.Now().After(p.until) {
				c.pulls = c.pulls[1:]
				continue
			}
			if m == nil {
				break
			}
			s.give(c, p, m)
		}
	}
}

// give delivers a message for a pull, or ends the pull if it has no room for the message.
func (s *Server) give(c *consumer, p *pull, m *stored) {
	ack := []string{"$JS.ACK", c.stream.name, c.name, "1", number(m.sequence), number(c.delivered + 1), number(m.at.UnixNano()), "0"}
	out := message{subject: m.subject, reply: strings.Join(ack, "."), header: m.header, data: m.data}
	if c.config.HeadersOnly {
		out.data, out.header = nil, withFields(m.header, "Nats-Msg-Size", number(len(m.data)))
	}
	if p.MaxBytes > 0 && out.size() > p.MaxBytes {
		c.pulls = c.pulls[1:]
		s.deliver(p.reply, message{subject: p.reply, header: status("409", "Message Size Exceeds MaxBytes",
			"Nats-Pending-Messages", number(p.Batch), "Nats-Pending-Bytes", number(p.MaxBytes))})
		return
	}
	c.delivered++
	c.from = m.sequence + 1
	s.deliver(p.reply, out)
	if p.MaxBytes > 0 {
		p.MaxBytes -= out.size()
	}
	if p.Batch--; p.Batch == 0 || p.MaxBytes < 0 {
		c.pulls = c.pulls[1:]
	}
}
