package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// serve answers a request of the agent, or sees to it that it is answered.
func (l *link) serve(line []byte, m message) {
	switch m.method {
	case v1.MethodRequestPermission:
		w, offers, err := parsePermission(m, l.config.Repairs)
		l.put(line, m, &ask{id: m.id, offers: offers}, err, w.ID != "" && len(offers) > 0)
	case v1.MethodElicitationCreate:
		f, err := parseForm(m)
		if errors.Is(err, errNoForm) || errors.Is(err, errNoSimple) {
			l.hear(line) // the person is told
			l.respond(bytes.Clone(m.id), elicited{Action: "decline"})
			return
		}
		l.put(line, m, &ask{id: m.id, form: &f}, err, true)
	case v1.MethodReadTextFile, v1.MethodWriteTextFile:
		l.file(m)
	default:
		l.fail(m.id, protocol.Errorf(protocol.CodeMethodNotFound, "%.80s", m.method))
	}
}

// put has the person asked, where there is somebody and something to ask.
func (l *link) put(line []byte, m message, a *ask, malformed error, answerable bool) {
	switch {
	case malformed != nil:
		l.fail(m.id, protocol.Errorf(protocol.CodeInvalidParams, "%w", malformed))
		return
	case answerable && l.asks.add(a):
		l.hear(line)
		return
	case !answerable:
		l.hear(line)
	}
	l.log.Debug("refused what cannot be asked", "method", m.method)
	l.respond(bytes.Clone(m.id), a.refusal())
}

// fail answers a request with an error.
func (l *link) fail(id []byte, err error) {
	l.send(wire{ID: bytes.Clone(id), Error: protocol.Wire(err)})
}

// withdrawn takes back what the agent does not wait for any more.
func (l *link) withdrawn(line []byte, m message) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if unmarshal(m.params, &p) != nil || len(p.RequestID) == 0 {
		return
	}
	l.files.withdraw(p.RequestID)
	if a := l.asks.withdraw(p.RequestID); a != nil {
		l.fail(a.id, context.Canceled)
		l.hear(line)
	}
}

// file reads or writes a file for the agent, which may take as long as the
// editor needs.
func (l *link) file(m message) {
	id, params, method := bytes.Clone(m.id), bytes.Clone(m.params), m.method
	ctx, done, err := l.files.begin(l.ctx, id)
	if err != nil {
		l.fail(id, err)
		return
	}
	l.work.Go(func() {
		defer done()
		var result any
		var err error
		if method == v1.MethodReadTextFile {
			result, err = l.files.read(ctx, params)
		} else {
			result, err = l.files.write(ctx, params)
		}
		if err != nil {
			l.fail(id, err)
			return
		}
		l.respond(id, result)
	})
}
