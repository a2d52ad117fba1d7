package hub

import (
	"slices"
	"sort"
	"time"

	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/protocol/rawmsg"
	"github.com/turnwire/turnwire/protocol/toolcall"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

const (
	// foldBytes and foldChanges are how much is added before a history is folded.
	foldBytes   = 256 << 10
	foldChanges = 2 << 10
	// maxHistory bounds a history, in bytes. Its oldest changes go first: the
	// journal has them.
	maxHistory = 64 << 20
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

// newChange returns the change that a notification with these params is.
func (s *session) newChange(method string, params []byte) change {
	if method == v1.MethodSessionUpdate {
		if update, times, only := splitUpdate(params); only {
			c := s.updateChange(update)
			c.times, c.replayed = times, times != v1.Times{}
			return c
		}
	}
	return change{line: rawmsg.Request(nil, method, params)}
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

// updateChange returns the change that an update of the session is.
func (s *session) updateChange(update []byte) change {
	head := s.updateHead()
	line := make([]byte, 0, len(head)+len(update)+len(updateTail))
	line = append(append(append(line, head...), update...), updateTail...)
	return change{line: line, from: len(head), to: len(head) + len(update)}
}

// updateHead and updateTail are around an update of the session.
func (s *session) updateHead() []byte {
	if s.head == nil {
		s.head = append([]byte(`{"jsonrpc":"2.0","method":"`+v1.MethodSessionUpdate+`","params":{"sessionId":`), rawmsg.Quote(s.id)...)
		s.head = append(s.head, `,"update":`...)
	}
	return s.head
}

const updateTail = "}}"

// A history is the changes of a session, in order. A snapshot of the session is
// the history folded; see [fold].
type history struct {
	changes []change
	last    int64 // number of the last change
	size    int   // bytes
	// What there was after it was last folded.
	foldedSize, foldedCount int
}

// add appends a change, which gets the next number.
func (h *history) add(c change) {
	h.last++
	c.seq = h.last
	if c.times.At == 0 {
		c.times = v1.TimesAt(time.Now().UnixMilli())
	}
	h.changes = append(h.changes, c)
	h.size += len(c.line)
}

// after returns the changes after the one with the number seq.
func (h *history) after(seq int64) []change {
	if n := len(h.changes); n == 0 || h.changes[n-1].seq <= seq {
		return nil
	}
	return h.changes[sort.Search(len(h.changes), func(i int) bool { return h.changes[i].seq > seq }):]
}

// wantsFold reports whether enough was added since the history was folded, so that
// all folding together costs no more than a few passes over it.
func (h *history) wantsFold() bool {
	return h.size-h.foldedSize > max(foldBytes, h.foldedSize) || len(h.changes)-h.foldedCount > max(foldChanges, h.foldedCount)
}

// fold folds what lies between cursors, which are numbers of changes in any order:
// who stands at a cursor has got what is before it as it was, and gets the rest.
// dropped is how many changes were too much.
func (h *history) fold(cursors []int64) (dropped int) {
	slices.Sort(cursors)
	var all []change
	rest := h.changes
	for _, c := range cursors {
		n := sort.Search(len(rest), func(i int) bool { return rest[i].seq > c })
		all = append(all, fold(rest[:n])...)
		rest = rest[n:]
	}
	all = append(all, fold(rest)...)
	size := 0
	for i := range all {
		size += len(all[i].line)
	}
	for size > maxHistory && len(all) > 1 {
		size -= len(all[0].line)
		all = all[1:]
		dropped++
	}
	h.changes, h.size = all, size
	h.foldedSize, h.foldedCount = size, len(all)
	return dropped
}
