package hub

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/protocol/toolcall"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A change is an entry in a session's history, which every client gets.
type change struct {
	seq  int64
	line []byte // a notification
	// The update in line is line[from:to]. It is empty if line is another notification.
	from, to int
	// The text of a chunk that contains nothing else is line[textFrom:textTo]. Both are 0 if
	// that is not known yet.
	textFrom, textTo int
	// aware is set if only clients that used session/attach get the change.
	aware bool
	// past is set if only clients that attach later get the change.
	past bool
	// times are the times of the updates that the change contains.
	times v1.Times
	// replayed is set if the agent replayed the change, so it is old for every client.
	replayed bool
	// event is what the change says about clients; nil for other changes.
	event *core.ClientEvent
	// author is the id of the client whose action the change shows. That client does not
	// get the change, unless it is history when it attaches.
	author string
	// What a fold needs to know of the update: its kind and, of a tool call, the call's id and
	// whether the update stands alone. It is empty until read has read it: a change is folded
	// several times, and its update may be long.
	kind, call string
	alone      bool
}

// read reads what a fold needs to know of the update, unless the change is another notification.
func (c *change) read() {
	if c.kind != "" || c.to == 0 {
		return
	}
	var kind, call, meta []byte
	o := rawjson.Walk(c.update())
	for key, value, ok := o.Next(); ok; key, value, ok = o.Next() {
		switch {
		case rawmsg.Is(key, "sessionUpdate"):
			kind = value
		case rawmsg.Is(key, "toolCallId"):
			call = value
		case rawmsg.Is(key, "_meta"):
			meta = value
		}
	}
	if c.kind = rawmsg.Text(kind); !isCall(c.kind) {
		return
	}
	c.call = rawmsg.Text(call)
	o = rawjson.Walk(meta)
	for key, _, ok := o.Next(); ok; key, _, ok = o.Next() {
		c.alone = c.alone || toolcall.StandsAlone(rawjson.String(key).String())
	}
}

// know is like read, for an update that is a value.
func (c *change) know(update v1.Update) {
	c.kind = update.UpdateType()
	f := v1.CallIn(update)
	if f == nil {
		return
	}
	c.call = f.ToolCallID
	for key := range f.Meta {
		c.alone = c.alone || toolcall.StandsAlone(key)
	}
}

func isCall(kind string) bool { return kind == "tool_call" || kind == "tool_call_update" }

// update returns the update in a change, or an empty slice.
func (c *change) update() []byte { return c.line[c.from:c.to] }

// maxCursor bounds the updates that are searched for cursors, in bytes.
const maxCursor = 4 << 10

// isCursor reports whether the change announces a position in the session.
func (c *change) isCursor() bool {
	update := c.update()
	return len(update) <= maxCursor && bytes.Contains(update, []byte(cursorUpdate)) && rawmsg.MemberText(update, "sessionUpdate") == cursorUpdate
}

const cursorUpdate = "cursor_update"

// setUpdate replaces the update in a change.
func (c *change) setUpdate(members *toolcall.Members) {
	line := append(make([]byte, 0, len(c.line)), c.line[:c.from]...)
	line = members.AppendTo(line)
	to := len(line)
	line = append(line, c.line[c.to:]...)
	c.line, c.to = line, to
}

// appendTo appends a change's line, without its newline. timed adds the times of an
// update.
func (c *change) appendTo(dst []byte, timed bool) []byte {
	dst = append(dst, c.line...)
	if timed && c.to > 0 {
		dst = c.times.AppendTo(dst)
	}
	return dst
}

// show shows the change to a view. timed adds the times of an update. A view that belongs to
// a host in this process gets the update itself; one that can't be decoded stays a
// notification.
func (c *change) show(v core.View, session string, timed, host bool) {
	if host && c.to > 0 {
		if update, err := v1.UnmarshalUpdate(c.update()); err == nil {
			_ = v.Update(session, update, c.times) // after a failure the view disconnects
			return
		}
	}
	_ = v.Relay(c.notification(session, timed))
}

// notification converts the change to a notification. timed adds the times of an
// update.
func (c *change) notification(session string, timed bool) core.Notification {
	n := core.Notification{Line: c.line, Session: session, From: c.from, To: c.to, Event: c.event}
	if timed && c.to > 0 {
		n.At = c.times
	}
	return n
}
