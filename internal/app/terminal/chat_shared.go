package terminal

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// turnsMeta is the capability of a client that shows other clients' turns. In the response
// that opens a session, it has the number of running turns.
const turnsMeta = "turnwire.dev/turns"

// turnsRunning is how many turns run in a session that was just opened.
type turnsRunning struct{ number int }

func (*turnsRunning) isMessage() {}

// turnsIn returns the number of running turns in the response that opens a session.
func turnsIn(result []byte) (number int, ok bool) {
	meta, _, _ := rawmsg.Member(result, "_meta")
	text, _, _ := rawmsg.Member(meta, turnsMeta)
	number, err := strconv.Atoi(string(text))
	return number, err == nil && number >= 0
}

// works reports whether a turn runs, whichever client started it.
func (m *chat) works() bool { return m.running || m.turn.others > 0 }

// shared handles an update about another client of the session.
func (m *chat) shared(raw []byte) tea.Cmd {
	event, ok := eventOf(raw)
	switch {
	case !ok:
	case event.Kind == turnComplete && m.running && m.turn.others == 0:
		m.turn.over = true // the response to the user's prompt follows, and says why
	case !m.counted: // history
		if event.Kind == turnComplete {
			_ = m.sharedTurnFailed(event) // it is only shown
		}
	case event.Kind == promptReceived:
		if !m.works() {
			m.turn.cancelled = false
			m.log.began, m.log.asked, m.log.waited = m.log.now(), time.Time{}, 0
		}
		m.turn.others++
	case event.Kind == turnComplete:
		m.turn.others = max(0, m.turn.others-1)
		return m.sharedTurnEnded(event)
	default:
		m.turn.followed(event)
	}
	return nil
}

// sharedTurnEnded shows how another client's turn ended. The user's queue is held if it
// was cancelled or failed, because the prompts in it may depend on it.
func (m *chat) sharedTurnEnded(event clientEvent) tea.Cmd {
	m.turn.over = true
	end := &ended{stop: v1.StopReason(event.StopReason), err: m.sharedTurnFailed(event)}
	if end.err != nil || end.stop == v1.StopCancelled {
		m.paused = len(m.queue) > 0
	}
	if m.works() {
		return nil
	}
	m.turn.cancelled = false
	_ = m.log.end(&report{StopReason: end.stop}) // writing to a page can't fail
	m.ended = end
	return m.sendNext()
}

// sharedTurnFailed shows why another client's turn failed. It returns nil if it didn't.
func (m *chat) sharedTurnFailed(event clientEvent) error {
	if event.Error == "" {
		return nil
	}
	m.log.notice(&v1.Notice{Severity: "error", Title: "The turn failed: " + event.Error})
	return &AgentError{Message: cleanLine(event.Error)}
}
