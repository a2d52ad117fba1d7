package relay

import (
	"iter"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

const (
	kindCursor = "cursor_update"
	// maxCursors bounds the known cursors of a session, and maxCursor the size of their
	// updates, in bytes.
	maxCursors = 1 << 14
	maxCursor  = 4 << 10
)

// cursors are the positions that were announced in a session. An agent that doesn't know
// a cursor would ignore it, and fork the whole session.
type cursors struct {
	byID map[string]*cursor
	air  airFork
}

// A cursor is a position at which the agent may accept session/fork.
type cursor struct {
	forks  bool
	anchor v1.CursorAnchor
	air    string // the message after which the agent forks; "" if the cursor is the agent's
}

// note records an update of a cursor.
func (c *cursors) note(body []byte) {
	id := rawmsg.MemberText(body, "cursorId")
	if id == "" || len(body) > maxCursor {
		return
	}
	known := c.byID[id]
	if known == nil {
		if len(c.byID) >= maxCursors {
			return
		}
		if c.byID == nil {
			c.byID = make(map[string]*cursor)
		}
		known = new(cursor)
		c.byID[id] = known
		if anchor, _, _ := rawmsg.Member(body, "anchor"); len(anchor) > 0 && anchor[0] == '{' {
			known.anchor = v1.CursorAnchor{
				Type: rawmsg.MemberText(anchor, "type"), MessageID: rawmsg.MemberText(anchor, "messageId"),
				ToolCallID: rawmsg.MemberText(anchor, "toolCallId"), Position: rawmsg.MemberText(anchor, "position"),
			}
		}
	}
	if able, _, _ := rawmsg.Member(body, "capabilities"); able != nil {
		fork, _, _ := rawmsg.Member(objectOf(able), "fork")
		known.forks = len(fork) > 0 && fork[0] == '{'
	}
}

// checkCursor returns an error if a session/fork names a cursor that the agent does not
// accept. The caller holds the lock.
func (r *relay) checkCursor(q *request) error {
	if q.method != v1.MethodSessionFork || !r.client.mends() {
		return nil
	}
	value, _, _ := rawmsg.Member(q.params, "cursorId")
	if value == nil || string(value) == "null" {
		return nil
	}
	if s := r.sessions[rawmsg.MemberText(q.params, "sessionId")]; s != nil {
		if c := s.cursors.byID[rawmsg.Text(value)]; c != nil && c.forks {
			return nil
		}
	}
	return protocol.Errorf(protocol.CodeInvalidParams, "the agent cannot fork the session at cursor %.200s", value)
}

// end returns a function that finds the first record after the cursor, for
// [journal.Copy]. It returns nil if the whole session is copied, because c is nil or at
// its end.
func (c *cursor) end(records iter.Seq2[journal.Record, error]) func(journal.Record) bool {
	if c == nil {
		return nil
	}
	prompt, last, first := int64(0), int64(0), int64(0)
	for r, err := range records {
		switch {
		case err != nil: // copying fails too
		case r.Type == journal.TypePrompt:
			if prompt = r.Seq; last > 0 && first == 0 {
				first = r.Seq
			}
		case r.Type == journal.TypeUpdate && c.isAt(r.Data):
			last, first = r.Seq, 0
			if c.anchor.Position == v1.CursorBefore {
				first = prompt
			}
		}
		if first > 0 && c.anchor.Position == v1.CursorBefore {
			break
		}
	}
	if last > 0 && first == 0 {
		return nil
	}
	return func(r journal.Record) bool { return r.Seq == first }
}

// isAt reports whether an update belongs to the message or call next to the cursor.
func (c *cursor) isAt(update []byte) bool {
	if c.anchor.ToolCallID != "" {
		return rawmsg.MemberText(update, "toolCallId") == c.anchor.ToolCallID
	}
	return c.anchor.MessageID != "" && rawmsg.MemberText(update, "messageId") == c.anchor.MessageID
}
