package hub

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// An envelope is the fixed text before the update in a session's notifications;
// envelopeEnd is the text after it. An envelope builds its session's changes, and is
// never modified.
type envelope []byte

const envelopeEnd = "}}"

func newEnvelope(session string) envelope {
	e := append(envelope(`{"jsonrpc":"2.0","method":"`+v1.MethodSessionUpdate+`","params":{"sessionId":`), rawmsg.Quote(session)...)
	return append(e, `,"update":`...)
}

// change returns a change with an update of the session.
func (e envelope) change(update []byte) change {
	line := make([]byte, 0, len(e)+len(update)+len(envelopeEnd))
	line = append(append(append(line, e...), update...), envelopeEnd...)
	return change{line: line, from: len(e), to: len(e) + len(update)}
}

// event returns a change with an update for clients that want to know about each other.
func (e envelope) event(event *core.ClientEvent, update []byte) change {
	c := e.change(update)
	c.from, c.to = 0, 0 // don't fold it
	c.aware, c.event = true, event
	return c
}

// changeOf returns a change with a notification that has these params.
func (e envelope) changeOf(method string, params []byte) change {
	if method == v1.MethodSessionUpdate {
		if update, times, only := splitUpdate(params); only {
			c := e.change(update)
			c.times, c.replayed = times, times != v1.Times{}
			return c
		}
	}
	return change{line: rawmsg.Request(nil, method, params)}
}

// fits reports whether a notification consists of nothing but an update of the session,
// in the form that change writes.
func (e envelope) fits(n core.Notification) bool {
	return bytes.Equal(n.Line[:n.From], e) && string(n.Line[n.To:]) == envelopeEnd
}

// splitUpdate splits the params of an update. only reports whether they contain nothing
// else.
func splitUpdate(params []byte) (update []byte, times v1.Times, only bool) {
	o := rawjson.Walk(params)
	for unknown, named := false, false; ; {
		key, value, ok := o.Next()
		if !ok {
			return update, times, named && !unknown && len(update) > 0 && update[0] == '{'
		}
		switch string(key) {
		case "sessionId":
			named = true
		case "update":
			update = value
		case "_meta":
			times, ok = v1.ParseTimes(value)
			unknown = unknown || !ok
		default:
			unknown = true
		}
	}
}
