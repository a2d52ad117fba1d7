package acp

import (
	"bytes"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// Line implements [jsonrpc.Handler]: updates are not parsed here.
func (l *conn) Line(line []byte) bool {
	if !l.isUpdate(line) {
		return false
	}
	l.forward(line)
	return true
}

// Message implements [jsonrpc.Handler].
func (l *conn) Message(line []byte, m jsonrpc.Message) error {
	switch {
	case m.IsAnswer():
		l.answered(line, m)
	case m.Method == "":
		return dialect.ErrNotObject
	case m.Method == methodCancelRequest:
		l.withdrawn(line, m)
	case m.IsRequest():
		l.serve(line, m)
	default:
		l.forward(line)
	}
	return nil
}

// isUpdate reports whether line is an update. Streams have thousands of them that
// begin alike: the beginning of the last is remembered up to its method.
func (l *conn) isUpdate(line []byte) bool {
	if len(l.prefix) > 0 && bytes.HasPrefix(line, l.prefix) {
		return true
	}
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			return false
		}
		switch string(key) {
		case "jsonrpc":
			continue
		case "method":
			if string(value) != `"`+v1.MethodSessionUpdate+`"` {
				return false
			}
			_, to := o.Span()
			l.prefix = append(l.prefix[:0], line[:to]...)
			return true
		}
		return false // other orders are taken apart
	}
}

// forward gives the running turn a line. Between turns it is kept where it is about
// the session, and its news told.
func (l *conn) forward(line []byte) {
	f := l.current()
	if f == nil {
		kind := lineKind(line)
		l.mu.Lock()
		f = l.feed // a turn may have begun meanwhile
		kept := f == nil && l.pending.keep(kind, line)
		l.mu.Unlock()
		switch {
		case kept:
			l.news()
		case f == nil:
			l.log.Debug("dropped what an agent said between two turns", "kind", kind)
		}
	}
	if f != nil {
		f.Add(line)
	}
}

// answered takes an answer that no call waits for. That to the prompt ends the
// turn, after all that was said before it.
func (l *conn) answered(line []byte, m jsonrpc.Message) {
	id, ok := m.Number()
	if !ok {
		l.log.Debug("dropped an answer to nothing", "id", string(m.ID))
		return
	}
	l.mu.Lock()
	f := l.feed
	if l.last == id {
		l.busy = false // that may be the end of a turn that was given up
	}
	ours := f != nil && f.Request == id
	if ours {
		l.feed = nil
	}
	l.mu.Unlock()
	if !ours {
		l.log.Debug("dropped an answer that nobody waits for", "id", id)
		return
	}
	if m.Error != nil {
		if err := l.refused(m.Error); err != nil {
			f.End(err)
			return
		}
	}
	f.Add(line)
	f.End(nil)
}

// refused is the error of a prompt that only the connection can explain, nil for any
// other.
func (l *conn) refused(raw []byte) error {
	fail, err := parseFailure(raw)
	if err != nil {
		return nil //nolint:nilerr // the decoder says so
	}
	switch {
	case fail.Code == protocol.CodeAuthRequired:
		return l.loginError(fail)
	case l.config.Repairs.Lost != 0 && fail.Code == l.config.Repairs.Lost:
		return errLost
	case l.config.Repairs.Busy != 0 && fail.Code == l.config.Repairs.Busy:
		return &userError{codeFailed, l.config.Name + " is still busy with an earlier prompt; wait, or open a new session", nil}
	}
	return nil
}

// lineKind is the kind of an update, and "answer" for an answer.
func lineKind(line []byte) string {
	var m struct {
		Method string `json:"method"`
		Params struct {
			Update struct {
				Kind string `json:"sessionUpdate"`
			} `json:"update"`
		} `json:"params"`
	}
	if exactjson.Unmarshal(line, &m) == nil && m.Method == "" {
		return "answer"
	}
	return m.Params.Update.Kind
}
