package relay

import (
	"bytes"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/source/relay/quirks"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/protocol/rawmsg"
)

// A session is one of the editor's. The relay's mutex guards it, but for gate.
type session struct {
	id     string // for the editor
	remote string // for the agent
	cwd    string
	opened []byte // the params it was opened with, to open it again
	up     *upstream

	record  record
	forgets string // what the user is to be told of what the agent has forgotten
	lapse   string // the same, if the session is opened again; "" for the usual reason
	gone    bool   // it is forgotten
	lost    bool   // its process has ended; see reopen
	opening bool   // it is being opened again: queue waits for that
	loading int    // requests to load it that are not answered: what was said before is told
	replay  bool   // what is told of the past is nothing for the editor, who has had it

	prompts   []*request    // not answered to the editor
	cancelled chan struct{} // closed by a cancel; made with the first of prompts
	queue     []*request    // wait until the session can take them
	stale     int           // prompts that we have answered, and the agent has not
	gate      atomic.Bool   // set while stale is not 0: nothing of that turn passes

	calls   map[string]callState // by the id's text as JSON
	facts   map[string]*facts    // of calls that run; see factKey
	quirks  *quirks.Session      // nil if the agent has none
	message string               // of the last chunk
	late    []core.Notification  // came after the answer, for the next turn
	size    int                  // of late
}

// A callState is how far a tool call is.
type callState byte

const (
	callOpen callState = iota + 1
	callEnded
	callClosed // by us
)

const (
	// maxCalls bounds the calls that are remembered, in a session.
	maxCalls = 4096
	// maxLate bounds what waits for the next turn, in bytes.
	maxLate = 256 << 10
	// staleLimit is how long a prompt waits for the end of the cancelled turn
	// before it.
	staleLimit = 30 * time.Second
)

// newSession returns a session that is opened with the given params.
func (r *relay) newSession(id, remote string, opened []byte) *session {
	cwd := rawmsg.MemberText(objectOf(opened), "cwd")
	return &session{
		id: id, remote: remote, opened: opened, cwd: cwd, quirks: r.cfg.Agent.Quirks.NewSession(cwd),
		calls: make(map[string]callState), facts: make(map[string]*facts),
	}
}

// begin notes that a prompt is on its way.
func (s *session) begin(q *request) {
	if len(s.prompts) == 0 {
		s.cancelled = make(chan struct{})
	}
	s.prompts = append(s.prompts, q)
}

// isActive reports whether updates of a turn may come.
func (s *session) isActive() bool { return len(s.prompts) > 0 || s.loading > 0 }

// isCancelled reports whether the running turn is cancelled.
func (s *session) isCancelled() bool {
	if len(s.prompts) == 0 {
		return false
	}
	select {
	case <-s.cancelled:
		return true
	default:
		return false
	}
}

// noteCall notes what an update says of its call, and returns what was known
// before.
func (s *session) noteCall(u *update) (before callState) {
	before = s.calls[string(u.call)]
	now := max(before, callOpen)
	if u.isFinal() {
		now = callEnded
	}
	if now == before {
		return before
	}
	if before == 0 && len(s.calls) >= maxCalls {
		for id, state := range s.calls {
			if state != callOpen {
				delete(s.calls, id)
			}
		}
		if len(s.calls) >= maxCalls {
			return before // nobody will end so many
		}
	}
	s.calls[string(u.call)] = now
	return before
}

// closeCalls returns the lines that end the calls that are open.
func (s *session) closeCalls() (ends []core.Notification) {
	for _, id := range slices.Sorted(maps.Keys(s.calls)) {
		if s.calls[id] != callOpen {
			continue
		}
		s.calls[id] = callClosed
		body := append([]byte(`{"sessionUpdate":"tool_call_update","toolCallId":"`), id...)
		body = append(body, `","status":"failed"}`...)
		s.noteUpdate(body, false)
		ends = append(ends, updateNotification(s.id, body))
	}
	return ends
}

// updateNotification is the notification of an update.
func updateNotification(id string, body []byte) core.Notification {
	line := make([]byte, 0, len(body)+len(id)+96)
	line = append(line, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":`...)
	line = append(rawjson.AppendString(line, id), `,"update":`...)
	from := len(line)
	line = append(append(line, body...), "}}"...)
	return core.Notification{Line: line, Session: id, From: from, To: from + len(body)}
}

// hold keeps a copy of an update for the next turn; false where there is no room.
func (s *session) hold(n *core.Notification) bool {
	if s.size+len(n.Line) > maxLate {
		return false
	}
	held := *n
	held.Line = clean(bytes.Clone(n.Line))
	s.late = append(s.late, held)
	s.size += len(n.Line)
	return true
}

func (s *session) takeLate() []core.Notification {
	late := s.late
	s.late, s.size = nil, 0
	return late
}
