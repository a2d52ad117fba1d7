package sim

import (
	"fmt"
	"strings"
)

// nothingFollows: after a prompt is answered, its client gets no more updates of the turn,
// unless it loads the session again. A relayed agent's updates may belong to any running
// prompt of the session.
type nothingFollows struct {
	answered map[string]*view // by turn: the view in which it was answered
}

func newNothingFollows() law { return &nothingFollows{make(map[string]*view)} }

func (*nothingFollows) name() string { return "nothing of a turn follows its answer" }

func (l *nothingFollows) see(w *World, e *event) error {
	if e.kind != shown {
		return nil
	}
	v := e.client.views[e.session]
	if v == nil || v.unclear {
		return nil
	}
	if e.call != nil {
		if e.turn != "" && v.ready && !isGoing(e) && !w.isForced(e) { // otherwise its history follows
			l.answered[e.turn] = v
		}
		return nil
	}
	ids := append(e.fresh, e.message.params.Update.ToolCallID, e.message.params.ToolCall.ToolCallID) //nolint:gocritic // a new list
	for _, id := range ids {
		if turn := turnOf(id); turn != "" && l.answered[turn] == v && !w.shared[turn] && (!w.pauses(turn) || pieceText.MatchString(id)) {
			return fmt.Errorf("%s is shown %s after the answer to %s", e.client.name, id, turn)
		}
	}
	return nil
}

// isForced reports whether a response may come from the client's own side of a broken
// network: it does not wait for the server after a cancel, or if the server has dropped the
// connection or was restarted. Another server may have the session then.
func (w *World) isForced(e *event) bool {
	return e.client.kind == traveller && (e.message.result.StopReason == "cancelled" ||
		strings.Contains(e.message.line, "The turn may continue there") ||
		w.second != nil && strings.Contains(e.message.line, "The server was restarted"))
}

func (*nothingFollows) end(*World) error { return nil }
