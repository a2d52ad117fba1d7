package relay

import (
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/source/relay/quirks"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// byID orders sessions.
func byID(a, b *session) int { return strings.Compare(a.id, b.id) }

// A session is one of the client's sessions. The relay's mutex guards it, except for
// the turn's gate.
type session struct {
	relay  *relay
	id     string // the client's id
	remote string // the agent's id
	cwd    string
	opened []byte // the params it was opened with, for reopening it
	up     *upstream

	record    record
	memory    memory
	forgotten bool // it was forgotten
	loading   int  // pending requests to load it, during which the agent replays its history

	turn    turn
	cursors cursors
	calls   calls
	late    late
	quirks  *quirks.Session // nil if the agent has none
}

// A memory describes what the agent knows of a session.
type memory struct {
	lost        bool   // its process has ended; see reopen
	opening     bool   // it is being reopened, and the turn's queue waits
	replay      bool   // drop replayed history, which the client already has
	forgets     string // the notice to show the user if the agent forgot the history
	lapse       string // the notice to show if the session is reopened; "" means the default
	unconfirmed bool   // the agent has not answered the request that opens it, so it may not exist
	// provisional is set until the agent opens the session; see openProvisional.
	provisional bool
	parts       parts // changes that were made in part
}

// newSession returns a session that is opened with the given params.
func (r *relay) newSession(id, remote string, opened []byte) *session {
	cwd := rawmsg.MemberText(objectOf(opened), "cwd")
	return &session{relay: r, id: id, remote: remote, opened: opened, cwd: cwd, quirks: r.cfg.Agent.Quirks.NewSession(cwd), calls: newCalls()}
}

// isActive reports whether updates of a turn are expected.
func (s *session) isActive() bool { return s.turn.isRunning() || s.loading > 0 }

// closeCalls closes the open calls and returns the notifications that end them. A client
// that closed the session gets none, because it may have opened it again. The caller
// holds the lock.
func (s *session) closeCalls() (ends []core.Notification) {
	for _, body := range s.calls.close() {
		if s.forgotten {
			continue
		}
		s.noteUpdate(body, false)
		ends = append(ends, updateNotification(s.id, body))
	}
	return ends
}

// updateNotification returns the notification for an update.
func updateNotification(id string, body []byte) core.Notification {
	line := make([]byte, 0, len(body)+len(id)+96)
	line = append(line, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":`...)
	line = append(rawjson.AppendString(line, id), `,"update":`...)
	from := len(line)
	line = append(append(line, body...), "}}"...)
	return core.Notification{Line: line, Session: id, From: from, To: from + len(body)}
}
