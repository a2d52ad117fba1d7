package hub

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/protocol/toolcall"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A change is something that every front end of a session is told.
type change struct {
	seq  int64
	line []byte // a notification
	// The update in line: line[from:to]. It is empty where line is another
	// notification.
	from, to int
	// aware says that only front ends get it that have used session/attach.
	aware bool
	// past says that only front ends get it that attach later.
	past bool
	// times are those of the updates that it stands for.
	times v1.Times
	// replayed says that the agent has replayed it, so it is old for every front end.
	replayed bool
	// news is what it says of front ends; nil for other changes.
	news *core.News
	// author does not get it: the change shows what it has done itself.
	author *attachment
	// madeBy is the id of author's front end, in a change from a shelf.
	madeBy string
}

// authorID returns the id of the front end that the change is by, or "".
func (c *change) authorID() string {
	if c.author != nil {
		return c.author.front.id
	}
	return c.madeBy
}

// update returns the update that a change is, or nil.
func (c *change) update() []byte { return c.line[c.from:c.to] }

// setUpdate replaces the update that a change is.
func (c *change) setUpdate(members *toolcall.Members) {
	line := append(make([]byte, 0, len(c.line)), c.line[:c.from]...)
	line = members.AppendTo(line)
	to := len(line)
	line = append(line, c.line[c.to:]...)
	c.line, c.to = line, to
}

// appendTo appends the line of a change, without its newline. timed adds the times of an
// update.
func (c *change) appendTo(dst []byte, timed bool) []byte {
	dst = append(dst, c.line...)
	if timed && c.to > 0 {
		dst = c.times.AppendTo(dst)
	}
	return dst
}

// notification is the change for a client. timed adds the times of an update.
func (c *change) notification(session string, timed bool) core.Notification {
	n := core.Notification{Line: c.line, Session: session, From: c.from, To: c.to, News: c.news}
	if timed && c.to > 0 {
		n.At = c.times
	}
	return n
}

// An envelope is what precedes an update in the notification of a session, and
// envelopeEnd is what follows it. It makes the session's changes and never changes.
type envelope []byte

const envelopeEnd = "}}"

func newEnvelope(session string) envelope {
	e := append(envelope(`{"jsonrpc":"2.0","method":"`+v1.MethodSessionUpdate+`","params":{"sessionId":`), rawmsg.Quote(session)...)
	return append(e, `,"update":`...)
}

// change returns the change that an update of the session is.
func (e envelope) change(update []byte) change {
	line := make([]byte, 0, len(e)+len(update)+len(envelopeEnd))
	line = append(append(append(line, e...), update...), envelopeEnd...)
	return change{line: line, from: len(e), to: len(e) + len(update)}
}

// changeOf returns the change that a notification with these params is.
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

// fits reports whether a notification is an update of the session as change writes it,
// and nothing else.
func (e envelope) fits(n core.Notification) bool {
	return bytes.Equal(n.Line[:n.From], e) && string(n.Line[n.To:]) == envelopeEnd
}

// splitUpdate takes the params of an update apart. only reports whether there is
// nothing else in them.
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
