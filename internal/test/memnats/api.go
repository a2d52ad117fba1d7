package memnats

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// apiPrefix starts the subjects of JetStream's API.
const apiPrefix = "$JS.API."

// object is a JSON object.
type object map[string]any

// failure returns an error response.
func failure(code, kind int, description string) object {
	return object{"error": object{"code": code, "err_code": kind, "description": description}}
}

var (
	noStream   = failure(404, 10059, "stream not found")
	noConsumer = failure(404, 10014, "consumer not found")
	noMessage  = failure(404, 10037, "no message found")
)

// answer sends a response, unless nobody asked for it.
func (s *Server) answer(reply string, response any) {
	if reply == "" {
		return
	}
	text, err := json.Marshal(response)
	if err != nil {
		panic(err) // it is our own
	}
	s.deliver(reply, message{subject: reply, data: text})
}

// request handles a request of the API.
func (s *Server) request(m message) {
	words := strings.Split(strings.TrimPrefix(m.subject, apiPrefix), ".")
	if words[0] == "INFO" {
		s.answer(m.reply, object{"streams": len(s.streams), "api": object{"level": 0}})
		return
	}
	if len(words) < 3 {
		s.answer(m.reply, failure(400, 10003, "bad request"))
		return
	}
	if words[0] == "DIRECT" {
		s.direct(words[2:], m.reply)
		return
	}
	of, what, name := words[0], words[1], words[2]
	if of == "CONSUMER" && what == "MSG" && len(words) == 5 {
		s.pull(words[3], words[4], m)
		return
	}
	if of == "STREAM" && what == "MSG" && len(words) == 4 {
		what, name = "GET", words[3]
	}
	one := s.streams[name]
	switch {
	case of == "STREAM" && what == "CREATE":
		s.answer(m.reply, s.create(name, m.data))
	case one == nil:
		s.answer(m.reply, noStream)
	case of == "STREAM" && what == "INFO":
		s.answer(m.reply, one.info())
	case of == "STREAM" && what == "GET":
		s.answer(m.reply, one.get(m.data))
	case of == "STREAM" && what == "PURGE":
		s.answer(m.reply, one.purged(m.data))
	case of == "CONSUMER" && what == "CREATE" && len(words) > 3:
		s.answer(m.reply, one.consume(words[3], m.data))
	case of == "CONSUMER" && what == "DELETE" && len(words) > 3:
		s.answer(m.reply, one.unconsume(words[3]))
	default:
		s.answer(m.reply, failure(400, 10003, "bad request"))
	}
}

// create creates a stream, or returns an equal one that exists.
func (s *Server) create(name string, config []byte) object {
	if one := s.streams[name]; one != nil {
		if string(one.raw) != string(config) {
			return failure(400, 10058, "stream name already in use with a different configuration")
		}
		return one.info()
	}
	one := &stream{name: name, raw: config, created: time.Now(), consumers: make(map[string]*consumer)}
	if err := exactjson.Unmarshal(config, &one.config); err != nil {
		return failure(400, 10025, "invalid JSON")
	}
	s.streams[name] = one
	return one.info()
}

func (s *stream) info() object {
	return object{"config": s.raw, "created": s.created, "state": object{"messages": len(s.stored), "last_seq": s.last, "consumer_count": len(s.consumers)}}
}

// get returns one message.
func (s *stream) get(request []byte) object {
	var by struct {
		Sequence uint64 `json:"seq"`
		Last     string `json:"last_by_subj"`
		Next     string `json:"next_by_subj"`
	}
	if err := exactjson.Unmarshal(request, &by); err != nil {
		return failure(400, 10025, "invalid JSON")
	}
	s.expire()
	var m *stored
	switch {
	case by.Last != "":
		m = s.lastOf(by.Last)
	case by.Next != "":
		m = s.next(by.Sequence, []string{by.Next})
	default:
		if m = s.next(by.Sequence, nil); m != nil && m.sequence != by.Sequence {
			m = nil
		}
	}
	if m == nil {
		return noMessage
	}
	return object{"message": object{"subject": m.subject, "seq": m.sequence, "hdrs": m.header, "data": m.data, "time": m.at}}
}

// purged purges the stream.
func (s *stream) purged(request []byte) object {
	var what struct {
		Filter string `json:"filter"`
		Keep   int    `json:"keep"`
	}
	if len(request) > 0 {
		if err := exactjson.Unmarshal(request, &what); err != nil {
			return failure(400, 10025, "invalid JSON")
		}
	}
	return object{"success": true, "purged": s.purge(what.Filter, what.Keep)}
}
