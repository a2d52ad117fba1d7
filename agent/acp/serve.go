package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/turnwire/turnwire/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// serve answers a request of the agent, or sees to it that it is answered.
func (l *conn) serve(line []byte, m jsonrpc.Message) {
	switch m.Method {
	case v1.MethodRequestPermission, v1.MethodElicitationCreate, v1.MethodReadTextFile, v1.MethodWriteTextFile:
	default:
		l.fail(m.ID, protocol.Errorf(protocol.CodeMethodNotFound, "%.80s", m.Method))
		return
	}
	if err := l.owns(m.Params); err != nil {
		l.log.Warn("refused a request about another session", "method", m.Method, "error", err)
		l.fail(m.ID, protocol.Errorf(protocol.CodeInvalidParams, "%w", err))
		return
	}
	switch m.Method {
	case v1.MethodRequestPermission:
		_, offers, err := parsePermission(m, l.config.Repairs)
		if unanswerable(err) {
			l.forward(line) // the user is told
			l.log.Warn("refused what cannot be asked", "method", m.Method, "error", err)
			l.rpc.Respond(bytes.Clone(m.ID), (&ask{}).refusal())
			return
		}
		l.ask(line, m, &ask{id: m.ID, offers: offers}, err)
	case v1.MethodElicitationCreate:
		f, _, err := parseForm(m)
		if errors.Is(err, errNoForm) || errors.Is(err, errFields) {
			l.forward(line) // the user is told
			l.log.Warn("declined what cannot be asked", "method", m.Method, "error", err)
			l.rpc.Respond(bytes.Clone(m.ID), v1.ElicitationResponse{Action: v1.ElicitDecline})
			return
		}
		l.ask(line, m, &ask{id: m.ID, form: &f}, err)
	default:
		l.file(m)
	}
}

// owns wants the session that a request names to be that of the agent's. One
// that names none can only mean that.
func (l *conn) owns(params []byte) error {
	o := rawjson.Walk(params)
	for {
		key, value, ok := o.Next()
		if !ok {
			return nil // what else is wrong, whoever reads them says
		}
		if string(key) != "sessionId" || jsonrpc.Present(value) == nil {
			continue
		}
		name, err := rawjson.Parse(value)
		if err != nil {
			return fmt.Errorf("sessionId: %w", err)
		}
		l.mu.Lock()
		own := l.session
		l.mu.Unlock()
		if name.String() != own {
			return fmt.Errorf("%.80q is not this session", name.String())
		}
	}
}

// ask has the user asked, where there is somebody to ask.
func (l *conn) ask(line []byte, m jsonrpc.Message, a *ask, malformed error) {
	if malformed != nil {
		l.log.Warn("refused what cannot be read", "method", m.Method, "error", malformed)
		l.fail(m.ID, protocol.Errorf(protocol.CodeInvalidParams, "%w", malformed))
		return
	}
	double, err := l.asks.add(a)
	if err == nil {
		l.forward(line)
		return
	}
	l.log.Warn("refused what cannot be asked", "method", m.Method, "error", err)
	if double != nil {
		l.rpc.Respond(double.id, double.refusal())
		l.forward(withdrawal(double.id)) // the user may have been asked
	}
	l.rpc.Respond(bytes.Clone(m.ID), a.refusal())
}

// withdrawal is what an agent says that takes back a request.
func withdrawal(id json.RawMessage) []byte {
	return slices.Concat([]byte(`{"jsonrpc":"2.0","method":"`+methodCancelRequest+`","params":{"requestId":`), id, []byte("}}"))
}

// Unread implements [jsonrpc.Handler]. It refuses a request that cannot be read,
// where what of it can be read says which it is.
func (l *conn) Unread(line []byte, cause error) {
	var id []byte
	method := false
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "id":
			id = jsonrpc.Present(value)
		case "method":
			method = true
		}
	}
	if id != nil && method {
		l.fail(id, protocol.Errorf(protocol.CodeInvalidRequest, "the request cannot be read: %w", cause))
	}
}

// fail answers a request with an error.
func (l *conn) fail(id []byte, err error) {
	l.rpc.Fail(bytes.Clone(id), protocol.Wire(err))
}

// withdrawn takes back what the agent does not wait for any more.
func (l *conn) withdrawn(line []byte, m jsonrpc.Message) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if unmarshal(m.Params, &p) != nil || len(p.RequestID) == 0 {
		return
	}
	l.files.withdraw(p.RequestID)
	if a := l.asks.withdraw(p.RequestID); a != nil {
		l.fail(a.id, context.Canceled)
		l.forward(line)
	}
}

// file reads or writes a file for the agent, which may take as long as the
// editor needs.
func (l *conn) file(m jsonrpc.Message) {
	id, params, method := bytes.Clone(m.ID), bytes.Clone(m.Params), m.Method
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
		l.rpc.Respond(id, result)
	})
}
