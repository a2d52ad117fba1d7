package relay

import (
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/source/relay/quirks"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A session is one of the client's. The relay's mutex guards it, but for the turn's gate.
type session struct {
	relay  *relay
	id     string // for the client
	remote string // for the agent
	cwd    string
	opened []byte // the params it was opened with, to open it again
	up     *upstream

	record  record
	memory  memory
	gone    bool // it is forgotten
	loading int  // requests to load it that are not answered: what was said before is told

	turn   turn
	calls  calls
	late   late
	quirks *quirks.Session // nil if the agent has none
}

// A memory is how far the agent knows a session.
type memory struct {
	lost    bool   // the process that had it has ended; see reopen
	opening bool   // it is being opened again: the turn's queue waits for that
	replay  bool   // what is told of the past is nothing for the client, which has had it
	forgets string // what the user is to be told of what the agent has forgotten
	lapse   string // the same, if the session is opened again; "" for the usual reason
}

// newSession returns a session that is opened with the given params.
func (r *relay) newSession(id, remote string, opened []byte) *session {
	cwd := rawmsg.MemberText(objectOf(opened), "cwd")
	return &session{relay: r, id: id, remote: remote, opened: opened, cwd: cwd, quirks: r.cfg.Agent.Quirks.NewSession(cwd), calls: newCalls()}
}

// isActive reports whether updates of a turn may come.
func (s *session) isActive() bool { return s.turn.isRunning() || s.loading > 0 }

// closeCalls returns the notifications that end the calls that are open.
func (s *session) closeCalls() (ends []core.Notification) {
	for _, body := range s.calls.close() {
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
